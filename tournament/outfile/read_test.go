package outfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead reads files up to the limit, and no device without end.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadUpTo(name, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	for _, file := range []string{name, "/dev/zero"} {
		if _, err := os.Stat(file); err != nil {
			continue
		}
		if _, err := ReadUpTo(file, 4); err == nil || err.Error() != file+" is larger than 4 bytes" {
			t.Errorf("%s: error %v", file, err)
		}
	}
	if _, err := Read(name + "x"); err == nil || !strings.Contains(err.Error(), "file"+"x") {
		t.Errorf("error %v", err)
	}
}
