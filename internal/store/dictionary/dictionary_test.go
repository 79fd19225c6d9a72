package dictionary_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/store/dictionary"
)

// similar returns n texts of a few hundred bytes that have much in common and some random bytes each.
func similar(n int, seed uint64) [][]byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	common := make([][]byte, 40)
	for i := range common {
		common[i] = random(rng, 60)
	}
	texts := make([][]byte, n)
	for i := range texts {
		texts[i] = []byte{0xb5, 0xee, 0x9c, 0x72}
		for range 4 {
			texts[i] = append(append(texts[i], common[rng.IntN(len(common))]...), random(rng, 30)...)
		}
	}
	return texts
}

func random(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestDictionary_SimilarBytesBecomeShorterAndComeBack(t *testing.T) {
	t.Parallel()
	texts := similar(200, 1)
	d, err := dictionary.New(bytes.Join(texts[:100], nil))
	require.NoError(t, err)
	before, after := 0, 0
	for _, text := range texts[100:] {
		stored := d.Append([]byte("in front"), text)
		require.Equal(t, "in front", string(stored[:8]))
		stored = stored[8:]
		id, needed := dictionary.IDOf(stored)
		require.True(t, needed)
		require.Equal(t, d.ID(), id)
		require.Equal(t, text, d.Decode(stored))
		before, after = before+len(text), after+len(stored)
	}
	require.Less(t, after*10, before*6)
}

func TestDictionary_BytesOfAnotherOrDamagedAreNil(t *testing.T) {
	t.Parallel()
	texts := similar(100, 2)
	d, err := dictionary.New(bytes.Join(texts[:50], nil))
	require.NoError(t, err)
	other, err := dictionary.New(bytes.Join(texts[50:], nil))
	require.NoError(t, err)
	stored := d.Append(nil, texts[99])
	require.Nil(t, other.Decode(stored))
	require.Nil(t, (*dictionary.Dictionary)(nil).Decode(stored))
	require.Nil(t, d.Decode(stored[:len(stored)/2]))
	require.Nil(t, d.Decode(nil))
	require.Nil(t, d.Decode([]byte{1}))
	// A block that claims to hold 64 MiB: refused before memory is taken.
	require.Nil(t, d.Decode(append(stored[:5:5], 0x80, 0x80, 0x80, 0x20, 0, 0)))
}

func TestNew_TooLargeOrTooSmallIsRefused(t *testing.T) {
	t.Parallel()
	_, err := dictionary.New(make([]byte, dictionary.MaxContent+1))
	require.Error(t, err)
	_, err = dictionary.New([]byte("short"))
	require.Error(t, err)
}

func TestSampler_ProposesOnceItPays(t *testing.T) {
	t.Parallel()
	var s dictionary.Sampler
	var present *dictionary.Dictionary
	adopt := func(texts [][]byte) (at []int) {
		for i, text := range texts {
			s.Add(text)
			if content := s.Propose(present); content != nil {
				d, err := dictionary.New(content)
				require.NoError(t, err)
				present, at = d, append(at, i+1)
			}
		}
		return at
	}
	require.Equal(t, []int{1 << 10}, adopt(similar(3000, 3)), "the first as soon as there are samples")
	require.Empty(t, adopt(similar(140_000, 3)), "the same kind again: none is better")
	require.Len(t, adopt(similar(140_000, 4)), 1, "another kind: one")
	require.Empty(t, adopt(similar(140_000, 4)))
}

func TestSampler_RandomBytesGetNoDictionary(t *testing.T) {
	t.Parallel()
	var s dictionary.Sampler
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		s.Add(random(rng, 300))
		require.Nil(t, s.Propose(nil))
	}
}

// FuzzDictionary_RoundTrips also decodes arbitrary bytes, which must not panic.
func FuzzDictionary_RoundTrips(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7})
	f.Add(similar(1, 5)[0])
	content := bytes.Join(similar(50, 5), nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := dictionary.New(content)
		require.NoError(t, err)
		cache := dictionary.NewCache(dictionary.Transactions)
		cache.Add(d)
		for _, with := range []*dictionary.Dictionary{d, nil} {
			stored := [][]byte{with.Append(nil, b)}
			require.LessOrEqual(t, len(stored[0]), len(b)+1)
			require.NoError(t, cache.Decode(t.Context(), nil, stored))
			require.Equal(t, b, append([]byte{}, stored[0]...))
		}
		d.Decode(b)
	})
}

func BenchmarkDictionary(b *testing.B) {
	texts := similar(200, 1)
	d, err := dictionary.New(bytes.Join(texts[:100], nil))
	require.NoError(b, err)
	b.Run("compress", func(b *testing.B) {
		var buffer []byte
		for i := 0; b.Loop(); i++ {
			buffer = d.Append(buffer[:0], texts[i%len(texts)])
		}
	})
	stored := d.Append(nil, texts[150])
	b.Run("decompress", func(b *testing.B) {
		for b.Loop() {
			d.Decode(stored)
		}
	})
}
