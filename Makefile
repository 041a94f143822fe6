# Builds, tests and benchmarks Kumiko. It requires only Go and make, and for race
# a C compiler. Modules and staticcheck are downloaded through the Go module proxy
# on first use.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME = 30s# for each fuzzer
SOAK = 2m#     of random commands in soak, besides its games
GAMES = 20#    games for each rule
PACKAGES = ./...# for race
ARGS =#        for bench, perft and demo: make demo ARGS='--rounds 50'
RULE = freestyle#of the network to learn
GENERATIONS = 2# of learn-net
LEARNGAMES = 6000#of each of them

GOBUILD = CGO_ENABLED=0 go build -trimpath

# The vectorized kernels require the experiment; without it the program is built
# from portable code alone.
build bench perft demo soak learn-net release: export GOEXPERIMENT = simd

build:
	$(GOBUILD) -o pbrain-kumiko .

portable:
	$(GOBUILD) -o pbrain-kumiko .

# Must pass before a commit; takes three minutes on two idle cores. Tests run with
# the released build; packages whose files differ between the two builds are also
# tested with the other one.
test: vet
	GOEXPERIMENT=simd go test ./...
	@list='{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}'; \
	twice=$$( (GOEXPERIMENT= go list -f "$$list" ./... && GOEXPERIMENT=simd go list -f "$$list" ./...) | sort | uniq -u | cut -d ' ' -f 1 | uniq) && \
	if [ -n "$$twice" ]; then echo "Again without vector instructions:" && GOEXPERIMENT= go test $$twice; fi

vet:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt -w is needed for $$files"; exit 1; fi
	GOEXPERIMENT= go build ./... && GOEXPERIMENT=simd go build ./...
	GOEXPERIMENT= go vet ./... ./.release && GOEXPERIMENT=simd go vet ./...
	GOOS=windows GOARCH=amd64 go vet ./... && GOOS=linux GOARCH=arm64 go vet ./... && GOOS=darwin GOARCH=arm64 go vet ./...
	GOEXPERIMENT=simd go run $(STATICCHECK) ./...

# Tests with the race detector, of all packages or of PACKAGES.
race:
	@CGO_ENABLED=1 go env CC | xargs which >/dev/null || { echo "race needs a C compiler, and $$(go env CC) is not there"; exit 1; }
	CGO_ENABLED=1 GOEXPERIMENT=simd go test -race -timeout 30m $(PACKAGES)

# Runs every fuzzer in turn.
fuzz:
	@list=$$(go test -list '^Fuzz' ./...) && echo "$$list" | \
	awk '/^Fuzz/ { f[n++] = $$1 } /^ok/ { while (n > 0) print f[--n], $$2 }' | while read f pkg; do \
	go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$pkg </dev/null || exit 1; done

# Tests that take many minutes.
slow:
	KUMIKO_LONG=1 go test -timeout 2h ./...

# Random commands, then whole games between two processes. A game lost in any way
# but on the board stops it.
soak: build
	go test -timeout 2h ./protocol -run Soak -soak $(SOAK)
	@for r in freestyle standard renju caro5 caro6; do rm -rf dist/soak && ./pbrain-kumiko tournament run --out dist/soak \
	--engine 'name=A cmd=./pbrain-kumiko' --engine 'name=B cmd=./pbrain-kumiko' --each 'tc=0/0.02 margin=1 memory=64M' --rule $$r --swap2 \
	--rounds $$(($(GAMES) / 2)) --concurrency 2 --on-failure abort --rating-interval 0 || exit 1; done

# A network for RULE from nothing but the pattern tables, in dist/learn. The tables play
# the games of the first generation, and each network those of the next; all records so
# far train it, and it is matched against what made them. At the end the last network meets
# the embedded one. After an interrupt or a kill the same command goes on.
LEARN = dist/learn/$(RULE)-
learn-net: build
	@mkdir -p dist/learn; set -e; before=tables; by='--evaluator tables'; records=; \
	for g in $$(seq $(GENERATIONS)); do \
	net=$(LEARN)$$g.net; records="$$records $(LEARN)$$g.rec"; \
	./pbrain-kumiko selfplay --out $(LEARN)$$g.rec --rule $(RULE) $$by --nodes 3000 --tree 4 --noise 0.1 --noise-plies 20 \
	--games $(LEARNGAMES) --seed $$g --concurrency 2; \
	test $$net -nt $(LEARN)$$g.rec || ./pbrain-kumiko train net --out $$net --csv $(LEARN)$$g.csv --svg $(LEARN)$$g.svg --threads 2 $(if $(filter renju,$(RULE)),--sides 2) $$records; \
	./pbrain-kumiko tune match --out $(LEARN)$$g.match --rule $(RULE) --net $$net --against $$before --nodes 3000 --games 400; \
	before=$$net; by="--net $$net"; \
	done; \
	./pbrain-kumiko tune match --out $(LEARN)embedded.match --rule $(RULE) --net $$net --nodes 3000 --games 1000

bench perft demo: build
	./pbrain-kumiko $@ $(ARGS)

# Reproducible binaries and archives in dist: the same commit and Go version give
# the same bytes.
release:
	go run ./.release

# The licenses of the modules linked into the program.
notices:
	go run ./.release notices >.release/NOTICES.new && mv .release/NOTICES.new .release/NOTICES.txt

clean:
	rm -rf pbrain-kumiko dist

.PHONY: build portable test vet race fuzz slow soak bench perft demo learn-net release notices clean
