package handler

// Nearest finds the known word a misspelt one may have meant; "" when none is near.
func Nearest(word string, known []string) string {
	const longest = 64 // nobody misspells longer names by a letter or two
	if len(word) > longest {
		return ""
	}
	best, least := "", len(word)/3+1
	for _, k := range known {
		if d := distance(word, k); d < least || d == least && best != "" && k < best {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of single-character edits between two words, ASCII case aside.
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
