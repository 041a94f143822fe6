package train

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"kumiko/tournament/outfile"
)

// The format of a state, little-endian throughout:
//
//	magic   [8]byte, the last one the version
//	header  uint32 length, then JSON of [header]
//	nets    weights, both means of the optimizer and the average, each a uint32
//	        length, then the file of a network
//	sum     uint32, CRC-32 (IEEE) of everything before
//
// Version 1 lacks the sums of an epoch that has begun: it was written after epochs only.
var stateMagic = [8]byte{'k', 'u', 'm', 'i', 't', 'r', 'n', 2}

// A header is what a state has besides weights.
type header struct {
	Flags  []string // that determine the run
	Step   int
	Points []nanPoint
	Sum    sums // of the epoch that has begun
}

// A sums is losses in JSON.
type sums struct {
	Value, Policy                  float64
	Values, Policies, First, Third int
}

// A nanPoint is a point in JSON, which has no NaN.
type nanPoint [5]*float64

func (p point) nan() (n nanPoint) {
	for i, v := range []float64{p.Training, p.Validation, p.Policy, p.First, p.Third} {
		if v == v {
			n[i] = &v
		}
	}
	return n
}

func (n nanPoint) point() point {
	var v [5]float64
	for i, p := range n {
		v[i] = math.NaN()
		if p != nil {
			v[i] = *p
		}
	}
	return point{v[0], v[1], v[2], v[3], v[4]}
}

// stateFile returns the name of the file that keeps the state.
func (o *options) stateFile() string { return o.out + ".state" }

// flags returns the flags that determine the run, and what it learns from.
func (r *run) flags() []string {
	return append(r.arch.flags(), fmt.Sprintf("--epochs %d", r.epochs),
		fmt.Sprintf("--batch %d", r.size), fmt.Sprintf("--rate %v", r.rate), fmt.Sprintf("--decay %v", r.decay), fmt.Sprintf("--policy %v", r.policy),
		fmt.Sprintf("--lambda %v", r.lambda), fmt.Sprintf("--validation %v", r.share), fmt.Sprintf("--seed %d", r.seed),
		fmt.Sprintf("records of hash %.8x", r.hash.Sum(nil)), fmt.Sprintf("tables of checksum %08x", r.tablesSum))
}

// save writes the state.
func (r *run) save() error {
	l := r.sum
	h := header{Flags: r.flags(), Step: r.opt.step, Sum: sums{l.value, l.policy, l.values, l.policies, l.first, l.third}}
	for _, p := range r.points {
		h.Points = append(h.Points, p.nan())
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	data := bytes.NewBuffer(bytes.Clone(stateMagic[:]))
	part := func(b []byte) {
		data.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
		data.Write(b)
	}
	part(text)
	for _, n := range r.nets() {
		var b bytes.Buffer
		if err := n.Write(&b); err != nil {
			return err
		}
		part(b.Bytes())
	}
	data.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(data.Bytes())))
	return outfile.Write(r.stateFile(), func(w io.Writer) error {
		_, err := w.Write(data.Bytes())
		return err
	})
}

// nets returns the networks of a state.
func (r *run) nets() []network { return []network{r.opt.net, r.opt.m, r.opt.v, r.opt.average} }

// load reads the state of an interrupted run, if there is one. It refuses that of
// another.
func (r *run) load() error {
	data, err := os.ReadFile(r.stateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := r.parse(data); err != nil {
		return fmt.Errorf("%s: %w", r.stateFile(), err)
	}
	return nil
}

// parse reads a state.
func (r *run) parse(data []byte) error {
	n := len(data) - crc32.Size
	switch {
	case len(data) < len(stateMagic) || !bytes.Equal(data[:len(stateMagic)-1], stateMagic[:len(stateMagic)-1]):
		return errors.New("not the state of a training")
	case data[len(stateMagic)-1] < 1 || data[len(stateMagic)-1] > stateMagic[len(stateMagic)-1]:
		return fmt.Errorf("a state of version %d; this program reads versions 1 to %d", data[len(stateMagic)-1], stateMagic[len(stateMagic)-1])
	case n < len(stateMagic) || binary.LittleEndian.Uint32(data[n:]) != crc32.ChecksumIEEE(data[:n]):
		return errors.New("the state is damaged: its checksum is wrong; remove it to begin anew")
	}
	rest := data[len(stateMagic):n]
	part := func() ([]byte, error) {
		if len(rest) < 4 || uint64(len(rest)-4) < uint64(binary.LittleEndian.Uint32(rest)) {
			return nil, io.ErrUnexpectedEOF
		}
		size := binary.LittleEndian.Uint32(rest)
		p := rest[4 : 4+size]
		rest = rest[4+size:]
		return p, nil
	}
	text, err := part()
	if err != nil {
		return err
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	if d := differences(h.Flags, r.flags()); d != "" {
		return fmt.Errorf("%s; remove it to begin anew", d)
	}
	for _, to := range r.nets() {
		b, err := part()
		if err != nil {
			return err
		}
		from, err := r.arch.read(bytes.NewReader(b))
		if err != nil {
			return err
		}
		copyWeights(to, from)
	}
	r.opt.step = h.Step
	r.sum = losses{h.Sum.Value, h.Sum.Policy, h.Sum.Values, h.Sum.Policies, h.Sum.First, h.Sum.Third}
	for _, p := range h.Points {
		r.points = append(r.points, p.point())
	}
	return nil
}

// differences returns what differs between two runs, or "".
func differences(had, want []string) string {
	var with, not []string
	for i, w := range want {
		if i >= len(had) || had[i] != w {
			not = append(not, w)
			if i < len(had) {
				with = append(with, had[i])
			}
		}
	}
	if not == nil {
		return ""
	}
	return fmt.Sprintf("made with %s, not with %s", strings.Join(with, " "), strings.Join(not, " "))
}
