package tournament

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
	"kumiko/tournament/stats"
)

// sprtCommand is the command sprt, which computes the verdict of a sequential
// test or how long a test takes.
func sprtCommand() *cobra.Command {
	c := &cobra.Command{Use: "sprt", Short: "Compute or plan a sequential test"}
	c.AddCommand(sprtCalcCommand(), sprtPlanCommand())
	return c
}

// testFlags adds the flags of a test to fs. The returned function gives the
// resulting test.
func testFlags(fs *pflag.FlagSet) func() (stats.SPRT, error) {
	dflt := config.DefaultSPRT()
	elo0 := fs.Float64("elo0", dflt.Elo0, "`difference` by H0")
	elo1 := fs.Float64("elo1", dflt.Elo1, "`difference` by H1")
	alpha := fs.Float64("alpha", dflt.Alpha, "`probability` of accepting H1 although H0 holds")
	beta := fs.Float64("beta", dflt.Beta, "`probability` of accepting H0 although H1 holds")
	model := fs.String("model", string(dflt.Model), "`unit` of the differences: normalized (Elo), logistic (Elo) or bayesian (Elo)")
	return func() (stats.SPRT, error) {
		m, ok := map[string]stats.Model{"normalized": stats.Normalized, "logistic": stats.Logistic, "bayesian": stats.Bayesian}[*model]
		if !ok {
			return stats.SPRT{}, fmt.Errorf("unknown model %q, want normalized, logistic or bayesian", *model)
		}
		t := stats.SPRT{Model: m, Elo0: *elo0, Elo1: *elo1, Alpha: *alpha, Beta: *beta}
		return t, t.Check()
	}
}

// sprtCalcCommand is the command sprt calc.
func sprtCalcCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "calc --penta LL,LD,WL+DD,WD,WW|--wdl W,D,L [flags]",
		Short: "Compute the verdict of a test on counts",
		Args:  cobra.NoArgs,
	}
	penta := c.Flags().String("penta", "", "`counts` of pairs by their points: 0, ½, 1, 1½, 2")
	wdl := c.Flags().String("wdl", "", "`counts` of games: won, drawn, lost")
	test := testFlags(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		t, err := test()
		if err != nil {
			return err
		}
		return sprtCalc(c.OutOrStdout(), t, *penta, *wdl)
	}
	return c
}

// sprtCalc writes the state of a test for counts of pairs or games.
func sprtCalc(stdout io.Writer, t stats.SPRT, penta, wdl string) (err error) {
	var c stats.Counts
	switch {
	case (penta == "") == (wdl == ""):
		return errors.New("give either --penta or --wdl")
	case penta != "":
		c, err = parseCounts(penta, 5)
	default:
		if c, err = parseCounts(wdl, 3); err == nil {
			c[0], c[2] = c[2], c[0] // losses first
		}
	}
	if err != nil {
		return err
	}
	if c.N() == 0 {
		return errors.New("all counts are 0")
	}
	if t.Model == stats.Bayesian && len(c) != 3 {
		return errors.New("the bayesian model counts games: give --wdl")
	}
	io.WriteString(stdout, c.Describe())
	fmt.Fprintf(stdout, "%s, %s\n", t.Describe(t.LLR(c)), verdictText(t, c))
	return nil
}

// maxCount bounds counts: sums of their squares must be exact.
const maxCount = 100_000_000

// parseCounts parses n comma-separated numbers.
func parseCounts(s string, n int) (stats.Counts, error) {
	fields := strings.Split(strings.Trim(s, "[]"), ",")
	c := make(stats.Counts, len(fields))
	for i, f := range fields {
		f = strings.TrimSpace(f)
		n, err := strconv.ParseUint(f, 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange) || err == nil && n > maxCount:
			return nil, fmt.Errorf("invalid count %q: at most %d", f, maxCount)
		case err != nil:
			return nil, fmt.Errorf("invalid count %q", f)
		}
		c[i] = int(n)
	}
	if len(c) != n {
		return nil, fmt.Errorf("invalid counts %q: want %d, got %d", s, n, len(c))
	}
	return c, nil
}

// verdictText describes the verdict of a test.
func verdictText(t stats.SPRT, c stats.Counts) string {
	v := t.Verdict(c)
	lower, upper := t.Bounds()
	switch llr := t.LLR(c); {
	case v != stats.Undecided:
		return v.String() + " is accepted"
	case llr <= lower || llr >= upper:
		return fmt.Sprintf("undecided before %d pairs", stats.MinPairs)
	}
	return v.String()
}

// sprtPlanCommand is the command sprt plan.
func sprtPlanCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan [flags]",
		Short: "Compute how long a test takes",
		Args:  cobra.NoArgs,
	}
	test := testFlags(c.Flags())
	perHour := c.Flags().Float64("games-per-hour", 0, "`speed`, to give the time as well")
	variance := c.Flags().Float64("variance", 0.0825, "`variance` of a pair's mean score, for the logistic model: report gives that of a tournament")
	c.RunE = func(c *cobra.Command, args []string) error {
		t, err := test()
		switch {
		case err != nil:
			return err
		case t.Model == stats.Bayesian:
			return errors.New("no plan for the bayesian model")
		case !(*variance > 0 && *variance <= 0.25):
			return fmt.Errorf("variance must be above 0 and at most 0.25, got %v", *variance)
		case *perHour < 0:
			return fmt.Errorf("games per hour must be at least 0, got %v", *perHour)
		}
		return sprtPlan(c.OutOrStdout(), t, *perHour, *variance)
	}
	return c
}

// sprtPlan writes how long a test takes.
func sprtPlan(stdout io.Writer, t stats.SPRT, perHour, variance float64) error {
	lower, upper := t.Bounds()
	unit := t.Model.String()
	fmt.Fprintf(stdout, "SPRT %v, alpha %g, beta %g: LLR from %.3f to %.3f\n", t, t.Alpha, t.Beta, lower, upper)
	fmt.Fprintf(stdout, "%12s %12s %12s %12s\n", "true "+unit, "accepts H1", "mean games", "time")
	width := t.Elo1 - t.Elo0
	for _, f := range []float64{-0.5, 0, 0.25, 0.5, 0.75, 1, 1.5} {
		elo := t.Elo0 + f*width
		pass, pairs := t.Plan(elo, variance)
		duration := "-"
		if perHour > 0 {
			duration = span(2 * pairs / perHour)
		}
		fmt.Fprintf(stdout, "%12.2f %11.1f%% %12.0f %12s\n", elo, 100*pass, 2*pairs, duration)
	}
	return nil
}

// span formats a number of hours.
func span(hours float64) string {
	const century = 100 * 365.25 * 24
	if !(hours < century) {
		return "over 100 years"
	}
	return time.Duration(hours * float64(time.Hour)).Round(time.Minute).String()
}
