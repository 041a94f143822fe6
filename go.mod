module kumiko

go 1.26.0

require (
	github.com/google/shlex v0.0.0-20191202100458-e7afc7fbc510
	golang.org/x/term v0.48.0
)

require golang.org/x/sys v0.50.0 // indirect
