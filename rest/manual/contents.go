package manual

// group is a part of the table of contents.
type group struct {
	Title string
	Files []string // in reading order
}

// contents lists every page; the test fails for a file that is missing here.
var contents = []group{
	{"Guides", []string{
		"guides/quick-start.md", "guides/explorer.md", "guides/explorer-queries.md", "guides/wallet.md", "guides/merchant.md", "guides/operator.md",
		"guides/proofs.md", "guides/streaming.md",
	}},
	{"APIs", []string{"glossary.md", "compatibility.md", "conformance.md", "addresses.md", "access.md", "actions.md", "action-details.md", "charts.md", "lists.md", "sources.md", "payments.md"}},
	{"Operation", []string{
		"deployment.md", "configuration.md", "operations.md", "runbooks.md", "releases.md", "scale.md", "network.md",
	}},
	{"Inside", []string{"performance.md", "trials.md", "storage.md", "executor.md", "openapi.md", "vm.md", "cells.md"}},
}
