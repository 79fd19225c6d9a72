package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// usage is the resource usage of a process at one moment.
type usage struct {
	after                   time.Duration
	rss, heap               float64 // MiB
	goroutines, descriptors float64
}

func (u usage) String() string {
	return fmt.Sprintf("%8s  rss %6.1f MiB  heap in use %6.1f MiB  goroutines %4.0f  descriptors %4.0f",
		u.after.Round(time.Second), u.rss, u.heap, u.goroutines, u.descriptors)
}

// measure reads a process's usage from its metrics.
func measure(t *testing.T, base string, begun time.Time) usage {
	t.Helper()
	_, body := get(t, base+"/metrics")
	value := func(name string) float64 {
		m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(body)
		require.NotNil(t, m, name)
		v, err := strconv.ParseFloat(string(m[1]), 64)
		require.NoError(t, err)
		return v
	}
	const mebibyte = 1 << 20
	return usage{
		after: time.Since(begun), rss: value("process_resident_memory_bytes") / mebibyte, heap: value("go_memstats_heap_alloc_bytes") / mebibyte,
		goroutines: value("go_goroutines"), descriptors: value("process_open_fds"),
	}
}

// median returns the median of one quantity over samples.
func median(samples []usage, of func(usage) float64) float64 {
	all := make([]float64, len(samples))
	for i, s := range samples {
		all[i] = of(s)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// TestSoak_ResourcesLevelOff runs all components in one process under mixed requests, and compares the resource usage
// in the third quarter of the time with that in the last one. TONQL_SOAK is the duration, such as 2h; `make soak` sets
// it. TONQL_SOAK_PROFILES is a folder for heap and goroutine profiles of the start, the middle and the end.
func TestSoak_ResourcesLevelOff(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	length, perSecond := 20*time.Second, 10
	given := os.Getenv("TONQL_SOAK")
	if given != "" {
		var err error
		length, err = time.ParseDuration(given)
		require.NoError(t, err, "TONQL_SOAK")
	} else if pacetest.Short() {
		t.Skip("it takes 20 seconds of real time")
	}
	if rate := os.Getenv("TONQL_SOAK_RATE"); rate != "" {
		var err error
		perSecond, err = strconv.Atoi(rate)
		require.NoError(t, err, "TONQL_SOAK_RATE")
	}
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--profile-listen", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })
	saveProfiles(t, p, "start")
	samples := soak(t, p, base, length, perSecond)
	saveProfiles(t, p, "end")

	third, last := samples[len(samples)/2:len(samples)*3/4], samples[len(samples)*3/4:]
	for _, q := range []struct {
		name string
		of   func(usage) float64
		more float64 // fraction by which the last quarter may be higher
		free float64 // added to it
	}{
		{"resident memory", func(u usage) float64 { return u.rss }, 0.10, 0},
		{"goroutines", func(u usage) float64 { return u.goroutines }, 0.10, 10},
		{"descriptors", func(u usage) float64 { return u.descriptors }, 0.10, 10},
	} {
		a, b := median(third, q.of), median(last, q.of)
		t.Logf("%s: %.1f in the third quarter, %.1f in the last", q.name, a, b)
		if given != "" { // nothing levels off within seconds
			require.LessOrEqual(t, b, a*(1+q.more)+q.free, q.name)
		}
	}
	eventually(t, time.Minute, "requests leave no goroutines and descriptors", func() bool {
		u := measure(t, base, time.Now())
		return u.goroutines <= samples[0].goroutines+20 && u.descriptors <= samples[0].descriptors+20
	})
	p.interrupt(15 * time.Second)
}

// soak sends requests for a time and samples the process meanwhile.
func soak(t *testing.T, p *process, base string, length time.Duration, perSecond int) []usage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	load := newSoakLoad(base)
	t.Cleanup(func() { load.report(t) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		load.run(ctx, perSecond)
	}()
	defer func() { <-ended }()
	begun := time.Now()
	tick := time.NewTicker(max(length/120, time.Second/2))
	defer tick.Stop()
	samples := []usage{measure(t, base, begun)}
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			continue
		}
		samples = append(samples, measure(t, base, begun))
		if middle := length / 2; samples[len(samples)-2].after < middle && time.Since(begun) >= middle {
			saveProfiles(t, p, "middle")
		}
		if n := len(samples); n%10 == 0 {
			fmt.Println(samples[n-1]) // progress of a long run
		}
	}
	<-ended
	return samples
}

// saveProfiles writes the process's profiles to the folder that TONQL_SOAK_PROFILES names.
func saveProfiles(t *testing.T, p *process, moment string) {
	t.Helper()
	folder := os.Getenv("TONQL_SOAK_PROFILES")
	if folder == "" {
		return
	}
	url := regexp.MustCompile(`url=(http://\S+/debug/pprof/)`).FindStringSubmatch(p.stderr.String())
	require.NotNil(t, url)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for _, kind := range []string{"heap?gc=1", "goroutine", "allocs"} {
		status, body := get(t, url[1]+kind)
		require.Equal(t, http.StatusOK, status)
		name, _, _ := strings.Cut(kind, "?")
		require.NoError(t, os.WriteFile(filepath.Join(folder, moment+"-"+name+".pprof"), body, 0o644))
	}
}
