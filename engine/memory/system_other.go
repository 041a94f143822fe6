//go:build race || !(unix || windows)

package memory

func reserve(int) []byte { return nil }

func release([]byte) {}
