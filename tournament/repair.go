package tournament

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/tournament/journal"
)

// repairCommand is the command repair, which copies a log without its damaged
// lines.
func repairCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "repair FOLDER|LOG",
		Short: "Copy a damaged log without its damaged lines",
		Long: `Copy a damaged log without its damaged lines, and report what was lost. The log itself
is not changed. Games whose results were lost are played again when the copy is resumed.`,
		Args: cobra.ExactArgs(1),
	}
	out := c.Flags().String("out", "", "`name` of the copy, a folder if the tournament is named by its folder (default that of the original with -repaired)")
	c.RunE = func(c *cobra.Command, args []string) error {
		return repair(c.OutOrStdout(), args[0], *out)
	}
	return c
}

// repair copies the undamaged lines of a log.
func repair(w io.Writer, path, out string) error {
	if playing, err := journal.Playing(path); err != nil {
		return err
	} else if playing {
		return fmt.Errorf("%s: %w", path, journal.ErrLocked)
	}
	r, err := journal.ReadSound(path)
	if err != nil {
		return err
	}
	if len(r.Lost) == 0 && r.End == nil {
		fmt.Fprintf(w, "%s: nothing is broken in %d lines\n", r.Name, r.Kept)
		return nil
	}
	folder := r.Name != path
	if out == "" {
		out = repairedName(path, folder)
	}
	if err := writeCopy(path, out, folder, r.Text); err != nil {
		return err
	}
	for _, l := range r.Lost {
		fmt.Fprintf(w, "%s: %v\n", r.Name, l)
	}
	if r.End != nil {
		fmt.Fprintf(w, "%s: %v\n", r.Name, r.End)
	}
	fmt.Fprintf(w, "%s: %d lines kept, %d lost; %d of %d games have results\n", out, r.Kept, len(r.Lost), r.Log.Played, r.Games)
	if folder && r.Log.Played < r.Games {
		fmt.Fprintf(w, "Go on with: tournament resume %s\n", out)
	}
	return nil
}

// repairedName returns the name of the copy of a tournament.
func repairedName(path string, folder bool) string {
	path = filepath.Clean(path)
	if folder {
		return path + "-repaired"
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-repaired" + ext
}

// writeCopy writes a log to a new place, with the transcripts of the original
// if it is a folder.
func writeCopy(path, out string, folder bool, text []byte) error {
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already: choose another name with --out", out)
	}
	if !folder {
		return os.WriteFile(out, text, 0o666)
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	const transcripts = "transcripts"
	if info, err := os.Stat(filepath.Join(path, transcripts)); err == nil && info.IsDir() {
		if err := os.CopyFS(filepath.Join(out, transcripts), os.DirFS(filepath.Join(path, transcripts))); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, journal.FileName), text, 0o666)
}
