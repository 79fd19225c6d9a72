package node

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"tonql/internal/chain"
)

const maxTrustFile = 64 << 10

var errDamaged = errors.New("the checksum is not that of the content")

// trustFile stores the newest proven blocks between runs, so that a restart does not prove all links from the anchor
// again. It is as trustworthy as its folder. A nil trustFile stores nothing.
type trustFile struct {
	path   string
	proofs Proofs
	log    *slog.Logger
	mu     sync.Mutex // one writer at a time
}

// trustRecord is the content of the file. It is valid only for the anchor it was derived from: another network, or a
// new devnet, has another anchor.
type trustRecord struct {
	Proofs string     `json:"proofs"` // policy fast accepts the record of policy secure, but not the reverse
	Anchor savedBlock `json:"anchor"`
	Key    savedBlock `json:"key"`
	Head   savedBlock `json:"head"`
	Sum    string     `json:"sha256,omitempty"` // of the other fields; files of older releases have none
}

// sum is the checksum of the record. It detects damage, such as a changed digit of a hash with which no block could be
// proven any more. It is no protection from someone who may write to the folder.
func (r trustRecord) sum() string {
	h := sha256.New()
	_, _ = fmt.Fprintln(h, r.Proofs) // a hash never fails
	for _, b := range []savedBlock{r.Anchor, r.Key, r.Head} {
		_, _ = fmt.Fprintln(h, b.Seqno, b.RootHash, b.FileHash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

type savedBlock struct {
	Seqno    uint32     `json:"seqno"`
	RootHash chain.Hash `json:"root_hash"`
	FileHash chain.Hash `json:"file_hash"`
}

type savedTrust struct {
	head, key chain.BlockIDExt
}

func newTrustFile(path string, proofs Proofs, log *slog.Logger) *trustFile {
	if path == "" {
		return nil
	}
	return &trustFile{path: path, proofs: proofs, log: log}
}

// load reads the file. With an unreadable or invalid file the client starts from the anchor.
func (f *trustFile) load(anchor chain.BlockIDExt) (savedTrust, bool) {
	if f == nil {
		return savedTrust{}, false
	}
	data, err := f.read()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.log.Warn("trusted blocks not read", "file", f.path, "err", err)
		}
		return savedTrust{}, false
	}
	var r trustRecord
	if err = json.Unmarshal(data, &r); err == nil && r.Sum != "" && r.Sum != r.sum() {
		err = errDamaged
	}
	if err != nil {
		f.log.Warn("trusted blocks not read", "file", f.path, "err", err)
		return savedTrust{}, false
	}
	saved := savedTrust{head: r.Head.id(), key: r.Key.id()}
	if f.proofs == Secure && r.Proofs != Secure.String() {
		return savedTrust{}, false
	}
	if r.Anchor.id() != anchor || saved.key.Seqno < anchor.Seqno || saved.head.Seqno < saved.key.Seqno ||
		saved.key.RootHash.IsZero() || saved.head.RootHash.IsZero() ||
		saved.key.Seqno == anchor.Seqno && saved.key != anchor || saved.head.Seqno == saved.key.Seqno && saved.head != saved.key {
		return savedTrust{}, false
	}
	f.log.Info("proofs continue from saved blocks", "file", f.path, "key_block", saved.key.Seqno, "mc_seqno", saved.head.Seqno)
	return saved, true
}

// read returns the content, which save never makes longer than a few hundred bytes.
func (f *trustFile) read() ([]byte, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, maxTrustFile))
}

// save replaces the file in one step, so that a crash leaves the old one.
func (f *trustFile) save(anchor, head, key chain.BlockIDExt) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r := trustRecord{Proofs: f.proofs.String(), Anchor: saved(anchor), Key: saved(key), Head: saved(head)}
	r.Sum = r.sum()
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replaceFile(f.path, data)
	}
	if err != nil {
		f.log.Warn("trusted blocks not saved", "file", f.path, "err", err)
	}
}

func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone already when all went well
	if _, err := tmp.Write(data); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

func saved(id chain.BlockIDExt) savedBlock {
	return savedBlock{Seqno: id.Seqno, RootHash: id.RootHash, FileHash: id.FileHash}
}

func (b savedBlock) id() chain.BlockIDExt {
	return chain.BlockIDExt{BlockID: master(b.Seqno), RootHash: b.RootHash, FileHash: b.FileHash}
}
