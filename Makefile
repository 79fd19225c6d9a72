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

.PHONY: soak cluster cluster-test page-budget explorer connect help build package licences debian-test generate verify lint fix test test-all slowest race check bench fuzz contracts page-tests

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/\1|\2/' | \
		while IFS='|' read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done

# The commit and its time, not the time of the build, so that two builds of a commit are equal.
OUT ?= bin
VERSION ?= $(shell git describe --tags --match 'v*' --always 2>/dev/null || echo dev)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
BUILT = $(shell date -u -d @$(SOURCE_DATE_EPOCH) +%Y-%m-%dT%H:%M:%SZ)
LDFLAGS = -s -w -buildid= -X main.version=$(VERSION) -X main.revision=$(COMMIT) -X main.built=$(BUILT)

# Packages have the version of the tag; commits without one sort before all releases, by their time.
PACKAGE_VERSION = $(if $(filter v%,$(VERSION)),$(VERSION:v%=%),0.0.0+$(shell date -u -d @$(SOURCE_DATE_EPOCH) +%Y%m%d%H%M%S).$(VERSION))
RELEASE := go tool -modfile=internal/tools/release/go.mod

build: ## build the binary into OUT (default: bin/), with version, commit and date
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o $(OUT)/tonql ./cmd/tonql

package: build ## build OUT/tonql_VERSION_ARCH.deb and the software bill of materials OUT/tonql.sbom.json
	for shell in bash zsh fish; do $(OUT)/tonql completion $$shell >$(OUT)/tonql.$$shell; done
	$(RELEASE) cyclonedx-gomod bin -json -noserial -notimestamp -std -version '$(VERSION)' -output $(OUT)/tonql.sbom.json $(OUT)/tonql
	go run ./deploy/thirdparty -sbom $(OUT)/tonql.sbom.json
	gzip -9nc THIRD_PARTY_LICENSES >$(OUT)/THIRD_PARTY_LICENSES.gz
	gzip -9nc CHANGELOG.md >$(OUT)/changelog.gz
	OUT='$(OUT)' PACKAGE_VERSION='$(PACKAGE_VERSION)' ARCH="$$(go env GOARCH)" \
		$(RELEASE) nfpm package --config deploy/debian/nfpm.yaml --packager deb --target $(OUT)/

licences: ## write THIRD_PARTY_LICENSES anew
	go run ./deploy/thirdparty -licences THIRD_PARTY_LICENSES

DEBIAN_ROOT ?= /var/tmp/tonql-debian
debian-test: ## as root: install the package in a new Debian, boot it with systemd, and break, back up and restore the service (OLDER=a package to upgrade from)
	test -e $(DEBIAN_ROOT)/etc/debian_version || debootstrap --variant=minbase \
		--include=postgresql,systemd,systemd-sysv,dbus,curl $(or $(SUITE),bookworm) $(DEBIAN_ROOT)
	TONQL_DEBIAN_ROOT=$(DEBIAN_ROOT) TONQL_DEBIAN_OLDER=$(if $(OLDER),$(abspath $(OLDER))) go test ./deploy -run '^TestDebian_' -count=1 -v -timeout 30m

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
	cd rest/explorer/app && npm ci --no-audit --no-fund && npm run build

connect: ## build the script of TON Connect into rest/dashboard/dist (needs Node)
	cd rest/dashboard/app && npm ci --no-audit --no-fund && npm run build

test: ## run the tests but those that take long
	go test -timeout 60m ./...

test-all: ## run all tests, as CI does
	TONQL_LONG_TESTS=1 go test -timeout 60m ./...

slowest: ## run all tests and list the twenty slowest
	@json=$$(mktemp); trap 'rm -f "$$json"' EXIT; status=0; \
	TONQL_LONG_TESTS=1 go test -timeout 60m -count=1 -json $(PKG) >"$$json" || status=$$?; \
	go tool -modfile=internal/tools/go.mod gotestsum tool slowest --jsonfile "$$json" --threshold 100ms --num 20; \
	exit $$status

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

CLUSTER ?= 30m
CLUSTER_DATA ?= tonql-cluster
cluster: build ## run a local chain, the indexer, a primary, a standby and two gateways; commands on standard input lose and replace them
	go run ./internal/localcluster -tonql $(abspath $(OUT))/tonql -data $(CLUSTER_DATA)

cluster-test: ## run that cluster under load for CLUSTER (default: 30m) while its parts are lost and replaced
	TONQL_CLUSTER=$(CLUSTER) go test ./cmd/tonql -run '^TestCluster_' -count=1 -v -timeout 24h

page-budget: ## measure the first paint of every page and frames of a large trace; on a machine that does nothing else
	TONQL_PAGE_BUDGET=1 TONQL_REQUIRE_BROWSER=1 go test ./cmd/tonql -run '^Test(Pages_|Up_StartsFromAnEmptyFolder)' -count=1 -v -timeout 30m

contracts: ## compile the local chain's contracts anew (needs Node)
	npm --prefix internal/devnet/contracts/tolk ci --no-audit --no-fund
	npm --prefix internal/devnet/contracts/tolk run compile

page-tests: ## run the tests that need Node or a browser; none may skip
	git ls-files -- 'package-lock.json' '**/package-lock.json' | while read -r lock; do \
		npm --prefix "$$(dirname "$$lock")" ci --no-audit --no-fund; done
	TONQL_LONG_TESTS=1 TONQL_REQUIRE_NODE=1 TONQL_REQUIRE_BROWSER=1 go test -count=1 \
		$$(git grep -lE 'TONQL_REQUIRE_(NODE|BROWSER)' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')
