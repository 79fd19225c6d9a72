package snapshot

// Installed lists the tables that no snapshot contains.
var Installed = installed

// Indexed lists the tables of a snapshot.
var Indexed = indexed

// WithPartBytes sets how much of a table is in one file.
func (o ExportOptions) WithPartBytes(n int64) ExportOptions {
	o.partBytes = n
	return o
}

// Encode returns the manifest as an export writes it.
func (m *Manifest) Encode() ([]byte, error) {
	data, _, err := m.encode()
	return data, err
}

// United reports whether rows of a table are selected from those of several snapshots.
func United(table string) bool { return findUnion(table) != nil }

// MaxManifest bounds the manifests of an import.
const MaxManifest = maxManifest
