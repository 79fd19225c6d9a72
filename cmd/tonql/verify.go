package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/urfave/cli/v3"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "read blocks again from the network and compare the database with them",
		Flags: join(dataFlags(), networkFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			return errors.New("verify: comparing ranges is not part of this build")
		}),
	}
}
