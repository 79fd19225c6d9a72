package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// THIRD_PARTY_LICENSES lists what the sources contain now.
func TestLicences_FileIsCurrent(t *testing.T) {
	t.Parallel()
	components, err := list("../..")
	require.NoError(t, err)
	stored, err := os.ReadFile("../../THIRD_PARTY_LICENSES")
	require.NoError(t, err)
	require.True(t, bytes.Equal(stored, render(components)), "THIRD_PARTY_LICENSES is outdated: run 'make licences'")
	for _, c := range components {
		require.NotEmpty(t, c.licences, c.id())
		require.NotEmpty(t, c.texts, c.id())
	}
	texts, err := filepath.Glob("texts/*")
	require.NoError(t, err)
	for _, path := range texts { // of a version that is no longer used
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".txt"), "-copyright")
		at := strings.LastIndex(name, "@") // names with a scope begin with one, too
		require.Contains(t, strings.ReplaceAll(string(stored), "/", "-"), name[:at]+" "+name[at+1:], path)
	}
}

// Files of the embedded folders are from a listed package or are tonql's own.
func TestAssets_EveryEmbeddedFileIsListed(t *testing.T) {
	t.Parallel()
	own := map[string]bool{"page.css": true, "page.js": true, "accessible.js": true, "playground.html": true, "playground.js": true, "examples.json": true, "fields.json": true}
	for _, folder := range []string{"rest/docs/assets", "rest/graphql/assets"} {
		entries, err := os.ReadDir(filepath.Join("../..", folder))
		require.NoError(t, err)
		for _, e := range entries {
			if !own[e.Name()] {
				require.Contains(t, string(assetsJSON), `"`+folder+"/"+e.Name()+`"`)
			}
		}
	}
}

func TestIdentify_NamesLicencesByTheirText(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]string{
		"MIT":          "Permission is hereby granted, free of\n charge, to any person obtaining a copy",
		"BSD-2-Clause": "Redistribution and use in source and binary forms, with or without",
		"BSD-3-Clause": "Redistribution and use in source and binary forms … may be used to endorse or promote products derived",
		"Apache-2.0":   "Apache License\n   Version 2.0, January 2004",
		"":             "GNU AFFERO GENERAL PUBLIC LICENSE Version 3",
	} {
		require.Equal(t, want, identify(s))
	}
	copyleft := component{name: "example.org/m", texts: []text{{"LICENSE", "GNU GENERAL PUBLIC LICENSE Version 3. Public domain parts."}}}
	require.ErrorContains(t, copyleft.classify(), "GPL")
	unnamed := component{name: "example.org/m", version: "v1.0.0", texts: []text{{"LICENSE", "Do what the author says."}}}
	require.ErrorContains(t, unnamed.classify(), "example.org/m v1.0.0")
}

// A module that the sources do not have, and a document of another kind, are refused.
func TestSBOM_ForeignDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{}`: "not a CycloneDX document",
		`{"bomFormat":"CycloneDX","components":[1]}`:                                   "no object",
		`{"bomFormat":"CycloneDX","components":[{"name":"other","version":"v1.0.0"}]}`: "the binary contains other v1.0.0",
	} {
		_, err := completeSBOM([]byte(given), nil)
		require.ErrorContains(t, err, want)
	}
}
