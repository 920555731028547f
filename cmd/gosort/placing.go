package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// placePositionals makes bare file names inputs and the output. The output is the first where files are merged, else
// the last of several that is not there yet: one that exists is more likely an input, and a hint must not lead anyone to
// overwrite it.
func (t *translation) placePositionals() {
	files := t.positionals
	if slices.ContainsFunc(files, isNoFile) {
		t.hopeless = true
		return
	}
	at := len(files) - 1
	if t.merging {
		at = 0
	}
	switch {
	case len(files) == 0:
		return
	case t.values["o"] != nil || len(t.values["i"])+len(files) == 1:
	case !fileExists(files[at]) || t.force:
		t.set("o", files[at])
		files = slices.Delete(slices.Clone(files), at, at+1)
	case t.merging:
		t.hopeless = true
		t.note("-o names the output, and " + quote(files[at]) + " exists")
	default:
		t.note("-o names the output, -i every input")
	}
	t.values["i"] = append(t.values["i"], files...)
}

// isNoFile tells of a bare word that it is more likely another program's command or setting than a file: "index",
// "inputthreads=2".
func isNoFile(word string) bool {
	return word != stdio && (!strings.ContainsAny(word, "./") || strings.Contains(word, "=")) && !fileExists(word)
}

// placeMemory turns samtools' memory per thread into gosort's total, and understands auto in capitals.
func (t *translation) placeMemory() {
	if given := t.values["memory"]; len(given) > 0 && strings.EqualFold(given[len(given)-1], "auto") {
		t.set("memory", "auto")
	}
	if t.perThread == 0 {
		return
	}
	threads := 1
	if v := t.values["threads"]; v != nil {
		threads, _ = strconv.Atoi(v[0])
	}
	t.set("memory", formatSize(t.perThread*int64(max(1, threads))))
	t.note("-m of samtools is memory per thread, -memory is the total")
}

// raiseMemory doubles a -memory that cfg's threads cannot work in until they can.
func (t *translation) raiseMemory(cfg config) {
	if t.values["memory"] == nil || cfg.version {
		return
	}
	_, err := divideMemory(cfg)
	if err == nil {
		return
	}
	t.note(err.Error())
	for err != nil {
		cfg.memory *= 2
		_, err = divideMemory(cfg)
	}
	t.set("memory", formatSize(cfg.memory))
}

// withIndex is how samtools names an index together with the output.
const withIndex = "##idx##"

// placeIndex takes the index's name off the output's.
func (t *translation) placeIndex() {
	if t.values["o"] == nil {
		return
	}
	out, index, ok := strings.Cut(t.values["o"][0], withIndex)
	if !ok {
		return
	}
	t.set("o", out)
	format := strings.TrimPrefix(index, out+".")
	if !slices.Contains(indexFormats, format) {
		format = indexAuto
		t.note("-index writes beside the output, and its name is the output's with .bai or .csi")
	}
	t.set("index", format)
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// prefixDir is the directory of a samtools temporary-file prefix, which may
// itself be a directory.
func prefixDir(prefix string) string {
	if info, err := os.Stat(prefix); err == nil && info.IsDir() {
		return filepath.Clean(prefix)
	}
	return filepath.Dir(prefix)
}
