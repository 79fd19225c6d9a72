package loaders_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/chain"
	"tonql/loaders"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a read function that records its batches.
type recorder struct {
	mu      sync.Mutex
	batches [][]int
	err     error
}

func (r *recorder) read(_ context.Context, keys []int) (map[int]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batches = append(r.batches, keys)
	found := map[int]string{}
	for _, k := range keys {
		if k%2 == 0 {
			found[k] = "even"
		}
	}
	return found, r.err
}

func TestLoader_KeysOfOneBatchAreReadTogether(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	l := loaders.Batch(r.read)
	thunks := make([]func() (string, error), 100)
	for i := range thunks {
		thunks[i] = l.Load(t.Context(), i)
	}
	for i, thunk := range thunks {
		v, err := thunk()
		require.NoError(t, err)
		if i%2 == 0 {
			require.Equal(t, "even", v)
		} else {
			require.Empty(t, v, "a missing row is the zero value")
		}
	}
	require.Len(t, r.batches, 1)

	again, err := l.Load(t.Context(), 4)()
	require.NoError(t, err)
	require.Equal(t, "even", again)
	require.Len(t, r.batches, 1, "rows are cached for the request")
}

func TestLoader_ErrorReachesEveryKey(t *testing.T) {
	t.Parallel()
	r := &recorder{err: errors.New("no database")}
	l := loaders.Batch(r.read)
	first, second := l.Load(t.Context(), 1), l.Load(t.Context(), 2)
	for _, thunk := range []func() (string, error){first, second} {
		_, err := thunk()
		require.EqualError(t, err, "no database")
	}
}

// Concurrent loads and batches lose no key.
// Requests that share loaders are repeated while the database cannot be reached: an error is not cached for them.
func TestLoader_SharedErrorsAreNotCached(t *testing.T) {
	t.Parallel()
	r := &recorder{err: errors.New("no database")}
	l := loaders.Batch(r.read)
	ctx := loaders.WithShared(t.Context(), &loaders.Set{})
	first, same := l.Load(ctx, 2), l.Load(ctx, 2)
	for _, thunk := range []func() (string, error){first, same} {
		_, err := thunk()
		require.ErrorIs(t, err, r.err)
	}
	r.err = nil
	for range 2 {
		v, err := l.Load(ctx, 2)()
		require.NoError(t, err)
		require.Equal(t, "even", v)
	}
	require.Len(t, r.batches, 2, "rows are cached")
}

func TestLoader_ConcurrentLoadsReadEveryKey(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	l := loaders.Batch(r.read)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				if _, err := l.Load(t.Context(), g*1000+i)(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for _, b := range r.batches {
		total += len(b)
	}
	require.Equal(t, 8*200, total)
}

// Parents share a statement if and only if their pages are equal.
func TestPages_AreGroupedByPage(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	reads := map[int][]string{}
	l := loaders.Pages(func(_ context.Context, parents []string, p chain.Page) (map[string]int, error) {
		mu.Lock()
		defer mu.Unlock()
		reads[p.Limit] = append(reads[p.Limit], parents...)
		out := map[string]int{}
		for _, parent := range parents {
			out[parent] = p.Limit
		}
		return out, nil
	})
	after := (&chain.Transaction{LT: 5}).Cursor()
	thunks := []func() (int, error){
		l.Load(t.Context(), loaders.PageOf[string]{"a", loaders.KeyOf(chain.Page{Limit: 5, After: &after})}),
		l.Load(t.Context(), loaders.PageOf[string]{"b", loaders.KeyOf(chain.Page{Limit: 5, After: &after})}),
		l.Load(t.Context(), loaders.PageOf[string]{"a", loaders.KeyOf(chain.Page{Limit: 7})}),
	}
	for i, want := range []int{5, 5, 7} {
		got, err := thunks[i]()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, map[int][]string{5: {"a", "b"}, 7: {"a"}}, reads)
}

// A panic of a read reaches every key, and the next batch is read normally.
func TestLoader_PanicReachesEveryKey(t *testing.T) {
	t.Parallel()
	broken := true
	l := loaders.Batch(func(_ context.Context, keys []int) (map[int]int, error) {
		if broken {
			broken = false
			panic("programming error")
		}
		return map[int]int{keys[0]: 1}, nil
	})
	first, second := l.Load(t.Context(), 1), l.Load(t.Context(), 2)
	for _, get := range []func() (int, error){first, second} {
		_, err := get()
		require.ErrorContains(t, err, "programming error")
	}
	v, err := l.Load(t.Context(), 3)()
	require.NoError(t, err)
	require.Equal(t, 1, v)
}

func TestPrime_SetsOnlyKeysThatWereNotRequested(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	l := loaders.Batch(r.read)
	loaders.Prime(l, 4, "four")
	six := l.Load(t.Context(), 6)
	loaders.Prime(l, 6, "six")
	values, err := loaders.Many(t.Context(), l, []int{4, 6, 7})
	require.NoError(t, err)
	require.Equal(t, []string{"four", "even", ""}, values)
	v, err := six()
	require.NoError(t, err)
	require.Equal(t, "even", v)
	require.Equal(t, [][]int{{6, 7}}, r.batches)
}
