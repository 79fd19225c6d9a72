package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/urfave/cli/v3"

	"tonql/internal/action"
	_ "tonql/internal/action/all" // every kind is recognized
	"tonql/internal/action/recording"
	"tonql/internal/chain"
)

func classifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "classify",
		Usage:     "print the actions of recorded traces",
		ArgsUsage: "FILE…",
		Description: `Each file contains one trace as JSON, plain or compressed by gzip, with the records of its contracts. The command prints
one line for each file: {"trace_id":…, "state":…, "actions":[…]}, with all columns of an action that are set.`,
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return chain.Invalidf("no file given: list the files that contain traces")
			}
			out := json.NewEncoder(c.Root().Writer)
			for _, name := range c.Args().Slice() {
				line, err := classifyFile(name)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := out.Encode(line); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// classified is one line of output.
type classified struct {
	TraceID chain.Hash       `json:"trace_id"`
	State   string           `json:"state"`           // ok, or failed: one kind failed, and Actions has only the basic ones
	Error   string           `json:"error,omitempty"` // why it failed
	Actions []*action.Action `json:"actions"`
}

func classifyFile(name string) (*classified, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, chain.Invalidf("%v", err)
	}
	defer f.Close()
	trace, records, err := recording.Read(f)
	if err != nil {
		return nil, err
	}
	line := &classified{TraceID: trace.ID, State: "ok"}
	line.Actions, err = action.Classify(trace, records)
	if err != nil && chain.KindOf(err) != chain.Internal {
		return nil, err
	}
	if err != nil {
		line.State, line.Error = "failed", err.Error()
	}
	if line.Actions == nil {
		line.Actions = []*action.Action{}
	}
	return line, nil
}
