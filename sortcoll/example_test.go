package sortcoll_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/sortcoll"
)

// sortSAM reads alignments in any format of package bam and writes them sorted, as SAM.
func sortSAM(ctx context.Context, w io.Writer, r io.Reader) error {
	in, err := bam.NewReader(r, bam.ReaderOptions{})
	if err != nil {
		return err
	}
	defer in.Close()
	header := in.Header().Clone()
	header.SetSortOrder(sortcoll.Coordinate.HeaderFields())

	coll, err := sortcoll.NewRecords(ctx, header, sortcoll.Coordinate, sortcoll.Options{Memory: 64 << 20})
	if err != nil {
		return err
	}
	defer coll.Close() // removes the temporary files
	for {
		rec, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := coll.Add(rec); err != nil { // Add copies: rec is good until the next Read
			return err
		}
	}

	sorted, err := coll.Sort()
	if err != nil {
		return err
	}
	defer sorted.Close()
	out, err := bam.NewWriter(w, header, bam.SAM)
	if err != nil {
		return err
	}
	for {
		rec, err := sorted.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := out.Write(rec); err != nil {
			return err
		}
	}
}

func Example() {
	const unsorted = "@SQ\tSN:chr1\tLN:1000\n" +
		"late\t0\tchr1\t700\t60\t4M\t*\t0\t0\tACGT\tIIII\n" +
		"early\t16\tchr1\t30\t60\t4M\t*\t0\t0\tTTGA\tIIII\n"
	var out strings.Builder
	if err := sortSAM(context.Background(), &out, strings.NewReader(unsorted)); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Print(strings.ReplaceAll(out.String(), "\t", " "))
	// Output:
	// @HD VN:1.6 SO:coordinate
	// @SQ SN:chr1 LN:1000
	// early 16 chr1 30 60 4M * 0 0 TTGA IIII
	// late 0 chr1 700 60 4M * 0 0 ACGT IIII
}
