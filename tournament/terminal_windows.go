package tournament

// terminalInput is where keys can be read, whatever standard input is.
const terminalInput = "CONIN$"
