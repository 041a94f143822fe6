// Package protocol is the engine's side of the Piskvork protocol, which the
// managers of Gomocup tournaments and several GUIs speak over a process's
// standard input and output.
//
// # Commands
//
// Words are read in either case, lines end with CR, LF or both, and blanks
// do no harm anywhere. Points are column,row from 0.
//
//	START size              OK; ERROR unless the size is from 5 to 32
//	START width height      the same for a rectangle, as Yixin-Board sends it
//	RECTSTART width,height  the same
//	RESTART                 OK
//	BEGIN                   a move
//	TURN x,y                a move; ERROR if x,y is not free
//	BOARD … DONE            a move; lines x,y,field with field 1 for own
//	                        stones, 2 for the opponent's, 3 for dead ones;
//	                        one ERROR for the first line that is no stone, off
//	                        the board or on a point given before, and no change
//	SWAP2BOARD … DONE       three points, one point or SWAP
//	PLAY x,y                x,y, as our own move; ERROR if it is not free
//	TAKEBACK x,y            OK, whichever stone it is; ERROR if there is none
//	INFO key value          nothing, also during a search
//	ABOUT                   name="Kumiko", version=…
//	END                     nothing; Run returns, as it does at the end of input
//
// and of those that the GUIs of Yixin's family have added:
//
//	STOP, YXSTOP            nothing; the move being searched for comes at once
//	YXBOARD … DONE          nothing, or ERROR; BOARD without a move
//	YXNBEST n               a move; reports on n lines where INFO show_detail
//	                        asked for reports
//	YXSHOWINFO              MESSAGE INFO lines with our limits
//	YXSHOWFORBID            FORBID and the points that black may not play
//	YXHASHCLEAR             nothing
//
// Anything else is UNKNOWN. A move request on a full board is an ERROR, and so
// is every command that needs a board before the first START. There is one
// MESSAGE line with a move at most, unless INFO show_detail asks for more, and
// none when time is short. What is told of a search ends with the line of play
// that begins with the move.
//
// # Time
//
// A move is planned to be written a margin before the limit: before what
// timeout_turn allows, counted from when the request was read, or before
// time_left where less is left of the game. The margin is the 99.9 % quantile
// of the lateness of this process's answers, which is how much later than
// planned they were written, and at least 10 ms, on Windows 20. Only answers
// to searches that used their whole time count, the last 1024 of them. The
// margin begins at 25 ms and may sink from there as eight answers after the
// other come in time; one that comes after its limit doubles it. Of a game's
// time, a share is planned for each move besides; see engine.Limits.
//
// # Concurrency
//
// One goroutine reads. It does nothing else, so that a command is heard
// whatever the engine is doing, and the clock of a move starts when its line
// was read. One goroutine holds all state and alone writes, each line in one
// call. While the engine searches, in a third goroutine, INFO, STOP and END
// are obeyed; INFO timeout_turn 0 is a stop as well. Everything else waits its
// turn. A search sends its answer over a channel once, and its request is
// answered when that is received and not before: what stops a search cannot
// make it answer twice.
//
// A stop is for every request before it, also for one that waits: when a
// search starts, what has come meanwhile decides whether it goes on. Without a
// limit of time it ends when anything must wait for it: at once, or after half
// a minute where it has another limit. So does one with half an hour or more.
//
// What waits is bounded, by all the memory that it takes. When there is no
// more room, a search is stopped and the manager has to wait. A manager that
// does not read our output at all cannot make the process stay: END and the
// end of input work during a write as well, and what it sends beyond the bound
// is dropped then; an ERROR says how much when it reads again.
//
// Before a move is printed it is compared with the board, as an illegal one
// loses at once. A panic, in the engine's goroutine or in Run's, costs no more
// than a good answer: the manager gets a legal one, and nothing is ever
// written to standard error, which some managers read as replies.
package protocol
