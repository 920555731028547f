package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// windowsFile is a pending file with a temporary name: renameio has no Windows
// version, and there is neither fsync of a directory nor a mode to keep.
type windowsFile struct {
	file   *os.File
	target string
}

func createPending(target string, _ fs.FileInfo) (*os.File, pending, error) {
	file, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return nil, nil, err
	}
	return file, &windowsFile{file: file, target: target}, nil
}

func (w *windowsFile) publish() error {
	err := w.file.Close()
	if err == nil {
		err = os.Rename(w.file.Name(), w.target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(w.file.Name()))
	}
	return nil
}

func (w *windowsFile) discard() error {
	return errors.Join(w.file.Close(), os.Remove(w.file.Name()))
}
