//go:build !windows

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// renamedFile is a pending file with a temporary name beside its target: all
// there is outside Linux and on file systems without O_TMPFILE. SIGKILL leaves
// it behind.
type renamedFile struct {
	file *renameio.PendingFile
	dir  string
}

func createRenamed(target string, existing fs.FileInfo) (*os.File, pending, error) {
	dir := filepath.Dir(target)
	options := []renameio.Option{renameio.WithTempDir(dir), renameio.WithPermissions(0o666)}
	if existing != nil {
		options = append(options, renameio.WithExistingPermissions())
	}
	file, err := renameio.NewPendingFile(target, options...)
	if err != nil {
		return nil, nil, err
	}
	return file.File, &renamedFile{file: file, dir: dir}, nil
}

func (r *renamedFile) publish() error {
	if err := r.file.CloseAtomicallyReplace(); err != nil {
		return errors.Join(err, r.file.Cleanup())
	}
	dir, err := os.Open(r.dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(dir), dir.Close())
}

func (r *renamedFile) discard() error { return r.file.Cleanup() }
