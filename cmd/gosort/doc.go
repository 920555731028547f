// Gosort sorts the records of BAM and SAM files.
//
// Usage:
//
//	gosort -i in.bam -o out.bam [flags]
//	aligner ... | gosort -o out.bam [flags]
//	gosort -merge -i a.bam -i b.bam -o out.bam [flags]
//	gosort -check -i in.bam [flags]
//
// The output appears whole or not at all: it is written under no name (or a
// temporary one) beside the target, checked, and then put in place. Records
// that compare equal keep their input order, and no byte of a record changes.
//
// Files:
//
//	-i FILE          input, BAM or SAM, found out by its first bytes; may be
//	                 given several times, the headers are merged then;
//	                 "-" or absent: standard input
//	-o FILE          output; "-" or absent: standard output
//	-format F        bam, sam or sam.gz (default: by the suffix of -o, else bam)
//	-level N         compression of BAM and sam.gz output, 0 to 9 (default 6)
//	-index [F]       write an index beside the BAM output: bai, csi or auto,
//	                 which is bai unless a reference is too long (default auto)
//	-csi-min-shift N write a CSI index whose smallest bins have 2^N bases
//	-md5             write the output's MD5 sum to a file beside it
//	-no-pg           add no @PG line to the header
//	-allow-truncated keep the whole records before a cut in the input
//	-allow-empty     take an input of 0 bytes for one without records
//
// Order:
//
//	-order O         coordinate (default), queryname:natural,
//	                 queryname:lexicographical, template-coordinate, tag:XX,
//	                 tag:XX:queryname:natural, tag:XX:queryname:lexicographical,
//	                 coordinate:picard, queryname:picard or unsorted;
//	                 queryname alone is queryname:natural, as in samtools
//	-n               short for -order queryname:natural
//	-N               short for -order queryname:lexicographical
//	-t XX            short for -order tag:XX; with -n or -N ties by name
//	-mc-missing A    what template-coordinate does with a read whose mate is
//	                 mapped and that has no MC tag: error (default), nextpos
//	-merge           the inputs are in order already: merge them; a record out
//	                 of order is an error
//	-check           write nothing, say whether the input is whole and in order
//
// Resources:
//
//	-threads N       threads in total (default: what GOMAXPROCS allows)
//	-memory SIZE     memory in total, for any number of threads: 768M, 1.5G,
//	                 2GiB; K, M, G and T are powers of 1024. auto: 80% of the
//	                 container's, the batch job's or else the machine's memory.
//	                 (default: 2G, or 80% of the container's or job's limit
//	                 where that is less)
//	-tmpdir DIR      directory for temporary files; may be given several times
//	                 (default: beside the output; $TMPDIR for standard output)
//	-spill-codec C   compression of temporary files: s2 (default), zstd, none
//	-max-runs N      temporary runs merged at once, 2 or more
//	                 (default 0: as many as memory allows)
//
// Looking on:
//
//	-v               one line per phase, and progress every 10 seconds
//	-stats FILE      write counts, times and memory as one JSON object
//	-cpuprofile FILE write a CPU profile for go tool pprof
//	-memprofile FILE write a heap profile for go tool pprof
//	-trace FILE      write an execution trace for go tool trace
//	-version         print the version
//	-h               print this text
//
// Exit status: 0 done, 1 the work failed, 2 the command line is wrong,
// 128+n ended by signal n. Nothing is printed on success without -v.
package main
