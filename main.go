package main

import (
	"fmt"
	"os"

	"kumiko/engine"
)

func main() {
	depth := engine.BenchDepth
	if len(os.Args) > 2 {
		fmt.Sscan(os.Args[2], &depth)
	}
	if err := engine.Bench(os.Stdout, depth); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
