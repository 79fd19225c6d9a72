package store_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

func TestDamagedDictionaries_NumbersThatDoNotFollowAreFound(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, c := range []struct {
		numbers []int
		damaged int
	}{
		{nil, 0}, {[]int{1}, 0}, {[]int{1, 2, 3}, 0}, {[]int{-1}, 0}, {[]int{-2, -1, 1, 2}, 0},
		{[]int{0}, 1}, {[]int{2}, 1}, {[]int{-2}, 1}, {[]int{-2, 1}, 1}, {[]int{-3, -1, 1}, 1}, {[]int{-1, 0, 1}, 1}, {[]int{1, 3}, 1},
	} {
		t.Run(strings.Trim(fmt.Sprint(c.numbers), "[]"), func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			handle := db.SQLDB()
			defer func() { require.NoError(t, handle.Close()) }()
			for _, n := range c.numbers {
				content := []byte(strings.Repeat(fmt.Sprint("content ", n), 100))
				sum := sha256.Sum256(content)
				_, err := handle.ExecContext(t.Context(), `INSERT INTO dictionaries VALUES ($1, $2, $3)`, int64(binary.BigEndian.Uint32(sum[:])), n, content)
				require.NoError(t, err)
			}
			_, err := handle.ExecContext(t.Context(), `INSERT INTO action_dictionaries SELECT * FROM dictionaries`)
			require.NoError(t, err)
			damaged, err := db.Reader().DamagedDictionaries(t.Context())
			require.NoError(t, err)
			require.Len(t, damaged, c.damaged)
			damaged, err = db.Reader().DamagedActionDictionaries(t.Context())
			require.NoError(t, err)
			require.Len(t, damaged, c.damaged)
		})
	}
}
