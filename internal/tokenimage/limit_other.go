//go:build !linux

package tokenimage

import "errors"

const limitsProcesses = false

func limitProcess(int) error { return errors.ErrUnsupported }
