package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Main runs the command that args name and returns its exit code: 0 on success,
// the result of the error's ExitCode method if it has one, or one of the constants in
// exit.go. It prints the error to stderr. The first interrupt cancels the context of
// the command, the second ends the process.
func Main(root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	out, w := check(stdout)
	err := execute(ctx, root, args, w, stderr)
	if err == nil {
		err = out.err
	}
	if err == nil {
		return 0
	}
	path := root.CommandPath()
	if e, ok := errors.AsType[*commandError](err); ok {
		path = e.path
	}
	fmt.Fprintf(stderr, "%s: %s\n", path, errorText(err))
	return exitCode(err)
}

// printable escapes what is not printable, since arguments and file names are
// untrusted.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// A commandError is the error of the command that path names.
type commandError struct {
	error
	path string
}

func (e *commandError) Unwrap() error { return e.error }

// Execute runs the command that args name and returns its error.
func Execute(ctx context.Context, root *cobra.Command, args []string, stdout io.Writer) error {
	return execute(ctx, root, args, stdout, io.Discard)
}

// execute is Execute with a place for warnings. Errors are the caller's to print.
func execute(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) error {
	prepare(root)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		unquote(root)
		stderr = io.Discard // for what cobra remarks
	}
	root.SetArgs(normalize(root, args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	if c, err := root.ExecuteContextC(ctx); err != nil {
		return &commandError{err, c.CommandPath()}
	}
	return nil
}

// SpeaksProtocol reports whether to speak the protocol rather than run a command:
// without arguments, and also if the first argument names no command, since some
// managers pass arguments of their own. On a terminal, however, such an argument
// is an error.
func SpeaksProtocol(root *cobra.Command, args []string, stdin *os.File) bool {
	if len(args) == 0 {
		return true
	}
	switch args[0] {
	case "help", "-h", "-help", "--help", "-version", "--version", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return false
	}
	return child(root, args[0]) == nil && !isTerminal(stdin)
}

// Greet tells a user who has started the engine on a terminal what it waits for.
// Managers, which use pipes, never see it.
func Greet(stdin, stderr *os.File) {
	if isTerminal(stdin) && isTerminal(stderr) {
		fmt.Fprintln(stderr, "Kumiko speaks the Piskvork protocol: enter START 15 and BEGIN to play, END to leave. For commands: pbrain-kumiko help")
	}
}

// isTerminal reports whether f is a terminal. Unlike [os.File.Fd] it does not
// change the mode of f.
func isTerminal(f *os.File) (yes bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = conn.Control(func(fd uintptr) { yes = term.IsTerminal(int(fd)) })
	return yes && err == nil
}

// helpText is the help template.
const helpText = `{{or .Long .Short}}

Usage:
{{- if not .Annotations.group}}
  {{.UseLine}}{{end}}
{{- if .HasSubCommands}}
  {{.CommandPath}} COMMAND{{if .HasParent}} [ARGUMENT…]{{end}}

Commands:
{{- range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}

"{{.CommandPath}} COMMAND --help" explains a command.
{{- end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasExample}}

{{.Example | trimTrailingWhitespaces}}{{end}}
`

// prepare applies the common settings to all commands of a tree.
func prepare(root *cobra.Command) {
	cobra.EnableCommandSorting = false // keep the order of the tree
	cobra.MousetrapHelpText = ""
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetHelpTemplate(helpText)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	walk(root, func(c *cobra.Command) {
		c.DisableFlagsInUseLine = true // use lines include them
		c.Flags().SortFlags = false
		if c.Flags().Lookup("help") == nil {
			c.Flags().BoolP("help", "h", false, "show this help")
		}
		if c.Version != "" {
			c.Flags().Bool("version", false, "print the version")
		}
		switch {
		case c.HasSubCommands() && c.RunE == nil:
			c.DisableFlagParsing = true // report an unknown command before its flags
			c.Args, c.RunE, c.Annotations = cobra.ArbitraryArgs, group, map[string]string{"group": "yes"}
		case takesCommand(c):
			c.Flags().SetInterspersed(false)
		}
		if c.Args != nil {
			c.Args = explain(c.Args)
		}
		if c.HasSubCommands() && c.Annotations["group"] == "" {
			c.Args = unlessHelp(c.Args, func(*cobra.Command, []string) error { return nil })
			c.RunE = unlessHelp(c.RunE, func(c *cobra.Command, args []string) error { return help(c, args[1:]) })
		}
	})
}

// unlessHelp returns run, except that the argument help calls explain: a runnable
// command with subcommands explains them like a group.
func unlessHelp(run, explain func(c *cobra.Command, args []string) error) func(c *cobra.Command, args []string) error {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 && args[0] == "help" {
			return explain(c, args)
		}
		return run(c, args)
	}
}

func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		walk(sub, visit)
	}
}

// unquote removes the backquotes from the help of flags, which shell completion
// would show.
func unquote(root *cobra.Command) {
	walk(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	})
}

// takesCommand reports whether another command line, which must not be parsed,
// follows the flags of c, according to its usage.
func takesCommand(c *cobra.Command) bool { return strings.Contains(c.Use, " -- ") }

// helpCommand returns the command help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND…]",
		Short: "Explain a command",
		RunE:  func(c *cobra.Command, args []string) error { return help(c.Root(), args) },
	}
}

// help prints the help of the command that path names below c.
func help(c *cobra.Command, path []string) error {
	for _, name := range path {
		next := child(c, name)
		if next == nil {
			return unknownCommand(c, name)
		}
		c = next
	}
	return c.Help()
}

// child returns the command with a name below c, or nil.
func child(c *cobra.Command, name string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == name || sub.HasAlias(name) {
			return sub
		}
	}
	return nil
}

// group runs a command that only has subcommands and was called without a valid
// one.
func group(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return c.Help()
	case args[0] == "help" || args[0] == "-h" || args[0] == "--help":
		return help(c, args[1:])
	case args[0] == "--version" && c.Version != "" && len(args) > 1:
		return fmt.Errorf("unexpected argument %q after --version", args[1])
	case args[0] == "--version" && c.Version != "":
		_, err := fmt.Fprintln(c.OutOrStdout(), c.Version)
		return err
	case strings.HasPrefix(args[0], "-"):
		return unknownFlag(c, args[0])
	}
	return unknownCommand(c, args[0])
}

// unknownCommand returns an error that suggests the nearest commands: those of c
// or, if none is near, those below.
func unknownCommand(c *cobra.Command, name string) error {
	var own, all []string
	walk(c, func(sub *cobra.Command) {
		if path := strings.Fields(strings.TrimPrefix(sub.CommandPath(), c.CommandPath())); len(path) == 1 {
			own = append(own, path[0])
		} else if len(path) > 1 && path[len(path)-1] == name {
			all = append(all, strings.Join(path, " "))
		}
	})
	if near := nearest(name, own); len(near) > 0 {
		all = near
	}
	text := fmt.Sprintf("unknown command %q", name)
	if len(all) > 0 {
		text += ", did you mean " + strings.Join(all, " or ") + "?"
	}
	return fmt.Errorf("%s (%s --help lists the commands)", text, c.CommandPath())
}

// explain makes the errors of an argument validator name the missing or unexpected
// argument.
func explain(valid cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := valid(c, args)
		if err == nil {
			return nil
		}
		for n := len(args) - 1; n >= 0; n-- {
			if valid(c, args[:n]) == nil {
				return fmt.Errorf("unexpected argument %q", args[n])
			}
		}
		return fmt.Errorf("missing argument, want %q", c.UseLine())
	}
}

// unknownFlag returns an error that suggests the nearest flags of c.
func unknownFlag(c *cobra.Command, word string) error {
	word, _, _ = strings.Cut(word, "=")
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	text := "unknown flag " + word
	if near := nearest(strings.TrimLeft(word, "-"), names); len(near) > 0 {
		text += ", did you mean --" + strings.Join(near, " or --") + "?"
	}
	return errors.New(text)
}

// flagError rewords an error of flag parsing.
func flagError(c *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if s := e.GetSpecifiedShortnames(); s != "" {
			return unknownFlag(c, "-"+s)
		}
		return unknownFlag(c, "--"+e.GetSpecifiedName())
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s needs a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("invalid value %q of --%s: %w", e.GetValue(), e.GetFlag().Name, plain(e.Unwrap()))
	}
	return err
}

// plain strips the name of the parsing function from the error of a value.
func plain(err error) error {
	if n, ok := errors.AsType[*strconv.NumError](err); ok {
		return n.Err
	}
	return err
}
