package tournament

// terminalInput is where keys are read, whatever standard input is.
const terminalInput = "CONIN$"
