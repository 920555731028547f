package sortcoll_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/sortcoll"
)

// sortRecords moves all records of in to out, by coordinate. The README shows its body.
func sortRecords(ctx context.Context, in *bam.Reader, out *bam.Writer) error {
	coll, err := sortcoll.NewRecords(ctx, in.Header(), sortcoll.Coordinate, sortcoll.Options{Memory: 256 << 20, Threads: 2})
	if err != nil {
		return err
	}
	defer coll.Close() // removes the temporary files
	// Add copies; what Read returns is good until the next Read.
	if err := each(in.Read, coll.Add); err != nil {
		return err
	}
	sorted, err := coll.Sort()
	if err != nil {
		return err
	}
	defer sorted.Close()
	return each(sorted.Read, out.Write)
}

// each calls do with what read returns, until io.EOF.
func each(read func() (bam.Record, error), do func(bam.Record) error) error {
	for {
		rec, err := read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(rec)
		}
		if err != nil {
			return err
		}
	}
}

// sortText sorts r, BAM or SAM, and writes SAM to w.
func sortText(w io.Writer, r io.Reader) error {
	in, err := bam.NewReader(r, bam.ReaderOptions{})
	if err != nil {
		return err
	}
	header := in.Header().Clone()
	header.SetSortOrder(sortcoll.Coordinate.HeaderFields())
	out, err := bam.NewWriter(w, header, bam.SAM)
	if err != nil {
		return err
	}
	if err := sortRecords(context.Background(), in, out); err != nil {
		return err
	}
	return in.Close()
}

func Example() {
	const unsorted = "@SQ\tSN:chr1\tLN:1000\n" +
		"late\t0\tchr1\t700\t60\t4M\t*\t0\t0\tACGT\tIIII\n" +
		"early\t16\tchr1\t30\t60\t4M\t*\t0\t0\tTTGA\tIIII\n"
	var out strings.Builder
	if err := sortText(&out, strings.NewReader(unsorted)); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Print(strings.ReplaceAll(out.String(), "\t", " "))
	// Output:
	// @HD VN:1.6 SO:coordinate
	// @SQ SN:chr1 LN:1000
	// early 16 chr1 30 60 4M * 0 0 TTGA IIII
	// late 0 chr1 700 60 4M * 0 0 ACGT IIII
}
