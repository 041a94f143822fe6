//go:build goexperiment.simd && amd64

package nn

import (
	"os"
	"simd/archsimd"
	"slices"
	"strings"
	"testing"
)

// TestKernelList fails if the vector kernel is not used where it could be. It does not
// ask the package that the kernel asks.
func TestKernelList(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("the features of the processor are unknown: ", err)
	}
	features := strings.Fields(string(info))
	able := slices.Contains(features, "avx2") && slices.Contains(features, "fma")
	if used := best().name == "avx2"; used != able {
		t.Errorf("the processor has AVX2 and FMA: %v; kernel %s", able, best().name)
	}
}

// BenchmarkPeak measures how many multiply-adds the core can do at most. The rates of
// the other benchmarks are fractions of it.
func BenchmarkPeak(b *testing.B) {
	if best().name != "avx2" {
		b.Skip("no AVX2")
	}
	const steps = 1000
	var out [lane]float32
	for b.Loop() {
		chains(&out, steps)
	}
	b.ReportMetric(2e-9*10*lane*steps*float64(b.N)/b.Elapsed().Seconds(), "GFLOPS")
}

// chains makes ten chains of multiply-adds, independent of each other and of memory.
func chains(out *[lane]float32, steps int) {
	x := archsimd.BroadcastFloat32x8(0.5)
	c0 := archsimd.LoadFloat32x8(out)
	c1 := c0.Add(x) // all different, lest the compiler makes one of them
	c2 := c1.Add(x)
	c3 := c2.Add(x)
	c4 := c3.Add(x)
	c5 := c4.Add(x)
	c6 := c5.Add(x)
	c7 := c6.Add(x)
	c8 := c7.Add(x)
	c9 := c8.Add(x)
	for range steps {
		c0 = c0.MulAdd(x, x)
		c1 = c1.MulAdd(x, x)
		c2 = c2.MulAdd(x, x)
		c3 = c3.MulAdd(x, x)
		c4 = c4.MulAdd(x, x)
		c5 = c5.MulAdd(x, x)
		c6 = c6.MulAdd(x, x)
		c7 = c7.MulAdd(x, x)
		c8 = c8.MulAdd(x, x)
		c9 = c9.MulAdd(x, x)
	}
	c0.Add(c1).Add(c2.Add(c3)).Add(c4.Add(c5).Add(c6.Add(c7))).Add(c8.Add(c9)).Store(out)
	archsimd.ClearAVXUpperBits()
}

func init() {
	if best().name == "avx2" {
		var out [lane]float32
		peak = func() int {
			chains(&out, 10000)
			return 10000 * 10 * lane
		}
	}
}
