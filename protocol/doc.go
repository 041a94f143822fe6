// Package protocol implements the engine's side of the Piskvork protocol, which
// Gomocup's tournament manager and several GUIs speak over a process's standard
// input and output.
//
// # Commands
//
// Words are case-insensitive, lines end with CR, LF or both, and extra blanks do
// not matter. Points are column,row from 0; after yxshowinfo in lower case, as
// Yixin-Board sends it, or INFO coordinates row,column they are row,column.
//
//	START size              OK; ERROR unless the size is from 5 to 32
//	START width height      the same for a rectangle, as Yixin-Board sends it
//	RECTSTART width,height  the same
//	RESTART                 OK
//	BEGIN                   a move
//	TURN x,y                a move; ERROR if x,y is not free
//	BOARD … DONE            a move; lines x,y,field with field 1 for own
//	                        stones, 2 for the opponent's, 3 for dead ones;
//	                        one ERROR for the first line that is not a stone, is
//	                        off the board or repeats a point, and no change
//	SWAP2BOARD … DONE       three points, one point or SWAP
//	PLAY x,y                x,y, as our own move; ERROR if it is not free
//	TAKEBACK x,y            OK, for any stone; ERROR if there is none
//	INFO key value          nothing, even during a search
//	ABOUT                   name="Kumiko", version=…
//	END                     nothing; Run returns, as it does at the end of input
//
// and the extensions of Yixin's family of GUIs:
//
//	STOP, YXSTOP            nothing; a running search answers at once
//	YXBOARD … DONE          nothing, or ERROR; BOARD without a move
//	YXNBEST n               a move; n lines in reports, if INFO show_detail
//	                        requests reports
//	YXSHOWINFO              MESSAGE INFO lines with our limits
//	YXSHOWFORBID            FORBID and the points that are forbidden to black
//	YXHASHCLEAR             nothing
//
// Anything else is UNKNOWN. A move request on a full board is an ERROR, and so
// is every command that needs a board before the first START. A move comes with
// at most one MESSAGE line, unless INFO show_detail requests more, and with none
// when time is short. The reports of a search end with the PV of the move.
//
// # Time
//
// A move is scheduled to be written a margin before the limit, which is
// timeout_turn, counted from when the request was read, or time_left if that is
// less. The margin is the 99.9% quantile of the lateness of this process's
// answers, that is, how much later than scheduled they were written, but at least
// 10 ms, or 20 on Windows. It takes into account the last 1024 answers to searches
// that used their whole time. The margin starts at 25 ms, may shrink after eight
// consecutive answers in time, and doubles after an answer past its limit. Under
// a match limit, each move also gets only a share of the remaining time; see
// engine.Limits.
//
// # Concurrency
//
// One goroutine only reads, so commands are received whatever the engine is
// doing, and a move's clock starts when its line is read. A second owns all state
// and does all writing, each line in one call. The engine searches in a third;
// meanwhile INFO, STOP and END are executed, and INFO timeout_turn 0 is also a
// stop. Everything else is queued. A search sends its answer over a channel once,
// and its request is answered only when that is received, so whatever stops a
// search cannot make it answer twice.
//
// A stop applies to every request before it, including queued ones: when a search
// starts, the lines that have arrived meanwhile decide whether it continues. A
// search without a time limit, or with one of half an hour or more, ends when a
// command has to wait for it: at once, or after half a minute if it has another
// limit.
//
// The queue is bounded by its memory. When it is full, a search is stopped and the
// manager has to wait. A manager that does not read our output cannot keep the
// process alive: END and the end of input take effect even during a write. Input
// beyond the bound is then dropped; an ERROR says how much when the manager reads
// again.
//
// Every move is checked against the board before it is printed, since an illegal
// move loses at once. After a panic in the engine's goroutine or in Run's, the
// manager gets a legal answer, if not a good one. Nothing is ever written to
// standard error, which some managers read as replies.
package protocol
