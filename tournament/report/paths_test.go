package report

import (
	"strings"
	"testing"

	"kumiko/tournament/journal"
)

func TestHidePaths(t *testing.T) {
	cfg := testConfig(1, "A", "B")
	cfg.Engines[0].Args = []string{"/home/me/my engines/pbrain-a", "--weights=/home/me/my nets/x.bin", "/top"}
	cfg.Engines[0].Dir = "/srv/work dir/"
	cfg.Engines[0].Stderr = `C:\Users\me\a b\err.txt`
	cfg.Openings.File = "/data/my books/b.pos"
	hide := hidePaths(&cfg)
	for _, tt := range [][2]string{
		{"", ""}, {"1/2-1/2, 0/1 and 5/120", "1/2-1/2, 0/1 and 5/120"}, {"./pbrain-b x/y/z ../q/r", "./pbrain-b x/y/z ../q/r"},
		{CommandLine(cfg.Engines[0].Args), `"pbrain-a" "--weights=x.bin" top`},
		{"fork/exec /home/me/my engines/pbrain-a: no such file", "fork/exec pbrain-a: no such file"},
		{"open /srv/work dir/x.log: permission denied", "open work dir/x.log: permission denied"},
		{`C:\Users\me\a b\err.txt is full`, "err.txt is full"},
		{"/data/my books/b.pos, 12, shuffled", "b.pos, 12, shuffled"},
		{`open "/var/tmp/y.txt": gone`, `open "y.txt": gone`}, {`D:\x\y\z.exe (\\host\share\w)`, "z.exe (w)"},
		{"/a/b/c /d/e", "c e"}, {"http://x.org/y", "http://x.org/y"},
	} {
		if got := hide(tt[0]); got != tt[1] {
			t.Errorf("%q became %q, want %q", tt[0], got, tt[1])
		}
	}
}

// TestPageWithoutPaths writes a page of a tournament whose settings and failures
// are full of absolute paths.
func TestPageWithoutPaths(t *testing.T) {
	cfg := testConfig(2, "A", "B")
	cfg.Engines[0].Args = []string{"/home/secret/my engines/pbrain-a", "--net", "/home/secret/n.bin"}
	cfg.Openings.File = "/home/secret/b.pos"
	log := results(t, cfg, "bwbw")
	e := log.Games[1]
	e.Reason, e.Detail = journal.StartExec, "fork/exec /home/secret/my engines/pbrain-a: no such file or directory"
	log.Warnings = []*journal.Warning{{Engine: 0, Number: 1, Text: "left /home/secret/x.lock"}}
	log.Verdict = &journal.Verdict{Why: "disk full: /home/secret/t"}
	page := writePage(t, log, HTMLOptions{})
	if i := strings.Index(page, "secret"); i >= 0 {
		t.Errorf("the page tells …%s…", page[max(0, i-80):i+40])
	}
	for _, want := range []string{"pbrain-a", "n.bin", "b.pos", "x.lock"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}
