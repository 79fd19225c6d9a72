package handler

// Nearest returns the candidate with the smallest edit distance to a misspelled name, for "did you mean" hints. It returns
// "" if more than a third of the name would have to change, and for names longer than 64 bytes.
func Nearest(name string, candidates []string) string {
	const maxLength = 64
	if len(name) > maxLength {
		return ""
	}
	best, least := "", len(name)/3+1
	for _, c := range candidates {
		if d := distance(name, c); d < least || d == least && best != "" && c < best {
			best, least = c, d
		}
	}
	return best
}

// distance returns the Levenshtein distance between two strings, ignoring ASCII case.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if lower(a[i-1]) == lower(b[j-1]) {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
