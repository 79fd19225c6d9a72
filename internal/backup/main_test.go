package backup

import (
	"testing"

	"go.uber.org/goleak"

	"tonql/internal/temptest"
)

func TestMain(m *testing.M) {
	temptest.InMemory()
	goleak.VerifyTestMain(m)
}
