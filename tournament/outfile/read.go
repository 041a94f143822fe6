package outfile

import (
	"fmt"
	"io"
	"os"
)

// MaxInput is the size of the largest file that [Read] reads whole.
const MaxInput = 1 << 28

// Read reads a whole file of at most MaxInput bytes. A device that never ends is an
// error, and does not fill the memory first.
func Read(name string) ([]byte, error) { return ReadUpTo(name, MaxInput) }

// ReadUpTo is Read with another limit.
func ReadUpTo(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	return data, nil
}
