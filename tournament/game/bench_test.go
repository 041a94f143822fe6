package game

import "testing"

// BenchmarkGame plays games of about 60 moves, in one process for each engine,
// between engines that answer at once.
func BenchmarkGame(b *testing.B) {
	m := newMatch(b, Settings{}, "", engine(b, "black"), engine(b, "white"))
	plies := 0
	b.ReportAllocs()
	for b.Loop() {
		e, err := m.game.Play(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		plies += len(e.Times)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/move")
}
