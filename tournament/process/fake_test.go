package process

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"kumiko/tournament/fakeengine"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "harness" {
		harness()
	}
	fakeengine.Main()
	os.Exit(m.Run())
}

// harness starts an engine and prints its number.
func harness() {
	p, err := Start(Spec{Args: fakeengine.Args(deaf)})
	if err != nil {
		panic(err)
	}
	<-p.Lines()
	fmt.Println(p.Pid())
	for {
		time.Sleep(time.Hour)
	}
}

// What engines do in these tests.
const (
	echo = "any=echo" // until END
	deaf = "launch=line:ready&stall"
)

// printing is what an engine does that prints a text at once.
func printing(text string) string {
	quoted := strconv.Quote(text)
	return "launch=print:" + quoted[1:len(quoted)-1]
}

// fake returns how to run an engine that does what words say.
func fake(t testing.TB, words ...string) Spec {
	return Spec{Args: fakeengine.Args(words...), Env: []string{testMark(t)}}
}
