// Package tournament has the commands that play tournaments of engines and show
// what the results mean, one file each. The packages below it do the work:
// config, schedule and opening determine what is played; play, game and process
// play it; journal records it; report, watch and stats show it.
package tournament
