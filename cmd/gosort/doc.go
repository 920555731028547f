// Gosort sorts the records of a BAM or SAM file.
//
// Usage:
//
//	gosort -i in.bam -o out.bam [flags]
//	aligner ... | gosort -o out.bam [flags]
//
// The output appears whole or not at all: it is written under no name (or a
// temporary one) beside the target, checked, and then put in place. Records
// that compare equal keep their input order, and no byte of a record changes.
//
// Files:
//
//	-i FILE          input, BAM or SAM, found out by its first bytes;
//	                 "-" or absent: standard input
//	-o FILE          output; "-" or absent: standard output
//	-format F        bam or sam (default: by the suffix of -o, else bam)
//	-level N         compression of BAM output, 0 to 9 (default 6)
//	-no-pg           add no @PG line to the header
//	-allow-truncated keep the whole records before a cut in the input
//	-allow-empty     take an input of 0 bytes for one without records
//
// Order:
//
//	-order O         coordinate (default), queryname:natural,
//	                 queryname:lexicographical or unsorted;
//	                 queryname alone is queryname:natural, as in samtools
//	-n               short for -order queryname:natural
//	-N               short for -order queryname:lexicographical
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
