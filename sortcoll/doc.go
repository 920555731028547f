// Package sortcoll is an external-sort collection: it holds what is added in memory up to a budget, spills sorted runs
// to temp files beyond it, and streams the sorted whole.
//
// # Guarantees
//
// The result is a permutation of what was added, in order, and stable: equals keep the order in which they were added.
// It depends on nothing else, not on budget, threads, codec or temp directory. The order of what comes out is checked
// while it is merged, and what comes back from disk is checked block by block (package spill); any doubt is an error.
//
// # Orders
//
// An [Order] is a small value; [Order.Comparer] is its definition, of which the engine's packed keys are a fast path.
// Records are kept as they are. Some orders put a digest ahead of each: [Tag] 4 bytes, [TemplateCoordinate] 20, so that
// tags and CIGARs are looked at once.
//
// # Memory
//
// Options.Memory covers everything the collection holds: frames, keys, the room to sort them, the spill writer's
// buffers and encoder, and the merge's read buffers. Memory is taken as input arrives, never ahead of it. One record
// larger than the budget still sorts. With Threads > 1 there are two fills of half the budget, and the first is only
// written out once the second is a quarter full, so that an input a little larger than one fill never touches a disk.
//
// # Ownership
//
// Add copies. What an Iterator returns is borrowed until its next Read. A collection and all its Iterators are for one
// goroutine at a time.
//
// # Goroutines
//
//	goroutine                started by          ended by     blocks on              limit
//	fill sorter and spiller  Add, a fill full    Sort, Close  the decision to spill  1, of two fills
//	run read-ahead           Sort                Iterator     its jobs               Threads-1, at most 4
//
// With Threads <= 1 there are none.
//
// # Errors
//
// The first error is sticky. A record that has no place in the order (a malformed field, a missing MC tag) is refused by
// Add with an error that names it: a *MissingMCError, or one that wraps bam.ErrCorrupt or says which tag is of the wrong
// type. Errors of temp files come from package spill (spill.ErrCorrupt, spill.NoSpaceError); a budget below what the
// options need is a *BudgetError; use after Close is ErrClosed.
//
// # Cost
//
// A record costs one copy into memory, a few radix passes over 16 bytes, one encoding and one decoding when it is
// spilled, and log2 k comparisons, mostly of cached 8-byte keys, in a merge of k sources. Records of equal keys, such as
// the reads of one template in the orders by name and template, are compared when they are read.
package sortcoll
