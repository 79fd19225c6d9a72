# Everything one does here. The text after ## is the help.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PKG ?= ./...
FUZZTIME ?= 1m
BENCHTIME ?= 1s
SOAK ?= 2h
SOAK_RATE ?= 10
SOAK_PROFILES ?=

# Its own module, so that what the linter depends on stays out of tonql's.
GOLANGCI := go tool -modfile=internal/tools/go.mod golangci-lint

# One line, since two targets run it.
GENERATE := go generate ./internal/action/details && go run ./graph/generate && go generate ./...

.PHONY: soak explorer help build generate verify lint fix test race check bench fuzz contracts page-tests

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/\1|\2/' | \
		while IFS='|' read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done

build: ## build the binary into bin/
	go build -trimpath -o bin/tonql ./cmd/tonql

generate: ## write generated code anew (GraphQL executor, go:generate lines)
	$(GENERATE)

verify: ## fail when generated code differs from what its sources give
	@before=$$(mktemp); after=$$(mktemp); trap 'rm -f "$$before" "$$after"' EXIT; \
	sums() { git ls-files -z --cached --others --exclude-standard | sort -z | xargs -0 sha256sum 2>/dev/null || true; }; \
	sums >"$$before"; \
	$(GENERATE); \
	sums >"$$after"; \
	if ! diff "$$before" "$$after"; then \
		echo 'generated code was not current: look at the files above, then commit them'; exit 1; \
	fi; \
	go mod verify

lint: ## run golangci-lint (PKG=./folder/... for a part); its first build takes minutes
	$(GOLANGCI) run $(PKG)

fix: ## let golangci-lint correct and format what it can
	$(GOLANGCI) run --fix $(PKG)

explorer: ## build the explorer page into rest/explorer/dist (needs Node)
	cd rest/explorer/app && npm install --no-audit --no-fund && npm run build

test: ## run all tests
	go test ./...

race: ## run the tests in their short form with the race detector (PKG=./folder/... for a part)
	go test -race -short -timeout 40m $(PKG)

check: verify lint race ## all that must be green before a commit

bench: ## run the benchmarks (PKG=, BENCHTIME=)
	go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) $(PKG)

fuzz: ## run every fuzzer for FUZZTIME each (PKG=./folder/... for a part)
	@go list -f '{{.ImportPath}}|{{.Dir}}' $(PKG) | while IFS='|' read -r package dir; do \
		{ grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$$dir"/*_test.go 2>/dev/null || true; } | sed 's/^func //' | while read -r name; do \
			echo "$$package $$name"; \
			go test "$$package" -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) </dev/null; \
		done; \
	done

soak: ## run everything under mixed requests for SOAK, SOAK_RATE a second; fail when memory, goroutines or descriptors grow
	TONQL_SOAK=$(SOAK) TONQL_SOAK_RATE=$(SOAK_RATE) TONQL_SOAK_PROFILES=$(SOAK_PROFILES) \
		go test ./cmd/tonql -run '^TestSoak_ResourcesLevelOff$$' -count=1 -v -timeout 24h

contracts: ## compile the local chain's contracts anew (needs Node)
	npm --prefix internal/devnet/contracts/tolk ci --no-audit --no-fund
	npm --prefix internal/devnet/contracts/tolk run compile

page-tests: ## run the tests that need Node or a browser; none may skip
	git ls-files -- 'package-lock.json' '**/package-lock.json' | while read -r lock; do \
		npm --prefix "$$(dirname "$$lock")" ci --no-audit --no-fund; done
	TONQL_REQUIRE_NODE=1 TONQL_REQUIRE_BROWSER=1 go test -count=1 \
		$$(git grep -lE 'TONQL_REQUIRE_(NODE|BROWSER)' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')
