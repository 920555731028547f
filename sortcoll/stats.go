package sortcoll

// Stats tells what a Collection did.
type Stats struct {
	Runs          int   // sorted runs written, before any were merged
	MergePasses   int   // merges of runs into one, before the final merge
	SpilledRaw    int64 // bytes of frames written to temp files, merge passes included
	SpilledStored int64 // the same as stored, compressed
}
