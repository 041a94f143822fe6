// Package tournament has the commands that let engines play each other which
// speak the Piskvork protocol, and tell what the results mean. The packages
// below it do the work: config, schedule and opening say what is played, game
// and process play it, journal keeps it, report, watch and stats tell of it.
package tournament
