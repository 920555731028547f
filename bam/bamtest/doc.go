// Package bamtest makes alignment records for the tests of every package: by
// hand ([Fields]), from SAM text ([FromSAM]) or at random but repeatably
// ([Generator]), and compares what comes out of a program with what went in
// ([SameRecords]).
//
// Records own their memory. Nothing here starts a goroutine. What goes wrong
// ends the test that asked, by tb.Fatal.
package bamtest
