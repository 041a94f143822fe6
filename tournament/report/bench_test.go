package report

import (
	"io"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// BenchmarkReport reads the log of 100,000 games and writes everything. With
// -benchtime 1x it shows what the command report takes.
func BenchmarkReport(b *testing.B) {
	const games = 100_000
	for _, bb := range []struct {
		name    string
		engines []string
		test    *config.SPRT
	}{
		{"robin", []string{"A", "B", "C", "D", "E"}, nil},
		{"sprt", []string{"A", "B"}, &config.SPRT{Elo1: 20, Alpha: 1e-300, Beta: 1e-300, Model: config.Normalized}},
	} {
		m := newMaker(1, games, bb.engines...)
		m.distinct = 500
		m.cfg.SPRT = bb.test
		dir := b.TempDir()
		m.write(b, dir, games)
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				log, err := journal.Read(dir)
				if err != nil {
					b.Fatal(err)
				}
				if err := WriteText(io.Discard, log, Options{}); err != nil {
					b.Fatal(err)
				}
				if err := WriteJSON(io.Discard, log, Options{}); err != nil {
					b.Fatal(err)
				}
				if err := WriteHTML(io.Discard, log, HTMLOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
