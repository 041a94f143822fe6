package game

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"kumiko/tournament/fakeengine"
)

func TestMain(m *testing.M) {
	fakeengine.Main()
	flag.Parse()
	flag.Set("test.parallel", "16") // they mostly wait
	code := m.Run()
	if err := goleak.Find(goleak.IgnoreTopFunction("kumiko/tournament/process.(*spawner).run")); err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}
