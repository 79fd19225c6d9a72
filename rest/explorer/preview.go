package explorer

import (
	"html/template"
	"strings"
)

// networkNames are the networks as the page names them; others have their own names.
var networkNames = map[string]string{"mainnet": "TON", "testnet": "TON testnet", "devnet": "a local TON chain"}

// objects are the first segments of paths that name an object, with the name of its kind.
var objects = map[string]string{"account": "Account", "tx": "Transaction", "trace": "Trace", "block": "Block"}

// lists are the paths of lists, with their titles.
var lists = map[string]string{"jettons": "Jettons", "collections": "NFT collections", "accounts": "Top accounts"}

// A name in a title has at most shortEnds characters from each end of it.
const shortEnds = 6

// maxTitle is the length of a title and of a description, in bytes.
const maxTitle = 200

// titleMark is where the build of the page has its title.
const titleMark = "<title>Explorer</title>"

// preview returns the title of the page at a path below [Prefix] and what chats and search engines show of a link to it. It is
// made of the path alone: nothing is looked up, and the path is untrusted.
func preview(path, network string) string {
	title, about := describe(strings.Split(strings.Trim(path, "/"), "/"))
	if len(title) > maxTitle || len(about) > maxTitle { // no object has such a name
		title, about = describe([]string{""})
	}
	name := networkNames[network]
	if name == "" {
		name = network
	}
	if name != "" {
		about += " on " + name
	}
	title, about = template.HTMLEscapeString(title), template.HTMLEscapeString(about)
	return "<title>" + title + "</title>" +
		`<meta name="description" content="` + about + `">` +
		`<meta property="og:type" content="website"><meta property="og:title" content="` + title + `"><meta property="og:description" content="` + about + `">`
}

func describe(segments []string) (title, about string) {
	const brand = " · Explorer"
	if kind := objects[segments[0]]; kind != "" && len(segments) > 1 {
		name := segments[1]
		if kind == "Block" && len(segments) > 3 {
			name = segments[3]
		}
		return kind + " " + shorten(name) + brand, kind + " " + name
	}
	if list := lists[segments[0]]; list != "" {
		return list + brand, list
	}
	return "Explorer", "Accounts, transactions, Jettons and NFTs"
}

// shorten returns the first and the last characters of an address or a hash.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) <= 2*shortEnds+3 {
		return name
	}
	return string(runes[:shortEnds]) + "…" + string(runes[len(runes)-shortEnds:])
}
