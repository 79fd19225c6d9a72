package observe_test

import (
	"testing"

	"tonql/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }
