package node

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

const (
	configTimeout = 15 * time.Second
	maxConfigSize = 8 << 20 // the public ones are below 100 KB
)

// endpoint is the address of a liteserver and the public key that authenticates it.
type endpoint struct {
	addr string
	key  ed25519.PublicKey
}

// network is the content of a global configuration: the liteservers and the first trusted block.
type network struct {
	endpoints []endpoint
	zerostate chain.BlockIDExt // zero RootHash when the configuration names none
	anchor    chain.BlockIDExt // likewise
	fork      chain.BlockIDExt // the last hard fork; likewise
}

// readNetwork loads the configuration that the options name.
func readNetwork(ctx context.Context, o Options) (*network, error) {
	config := o.Config
	if config == nil {
		where := o.GlobalConfig
		if where == "" {
			switch o.Network {
			case "mainnet":
				where = mainnetConfigURL
			case "testnet":
				where = testnetConfigURL
			case "devnet":
				return nil, chain.Invalidf("the devnet has no published global config: name its file")
			default:
				return nil, chain.Invalidf("network should be one of: mainnet, testnet, devnet; not %s", chain.Quote(o.Network))
			}
		}
		var err error
		if config, err = loadConfig(ctx, where); err != nil {
			return nil, err
		}
	}
	n, err := parseNetwork(config)
	if err != nil {
		return nil, err
	}
	if err := o.Anchor.choose(n); err != nil {
		return nil, err
	}
	if n.anchor.RootHash.IsZero() && o.Proofs == Secure {
		return nil, chain.Invalidf("the global config names neither an init block nor a zerostate, so nothing can be proven from it: use another config or fast proofs")
	}
	return n, nil
}

// loadConfig reads a global.config.json from a file or over HTTP.
func loadConfig(ctx context.Context, where string) (*liteclient.GlobalConfig, error) {
	var data []byte
	var err error
	if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		data, err = download(ctx, where)
		if chain.KindOf(err) == chain.Invalid {
			return nil, err
		}
		if err != nil {
			return nil, chain.Unavailablef(err, "the global config at %s cannot be read now: check the URL and the network of this machine, or give a file", where)
		}
	} else if data, err = readConfig(where); err != nil {
		return nil, err
	}
	config := &liteclient.GlobalConfig{}
	if err := json.Unmarshal(data, config); err != nil {
		return nil, chain.Invalidf("%s: %s", where, jsontext.Reason(err, config))
	}
	return config, nil
}

// CheckGlobalConfig checks a global.config.json without connecting to anything: it reads a file, and only the form of a URL.
func CheckGlobalConfig(where string) error {
	if u, err := url.Parse(where); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if u.Host == "" {
			return chain.Invalidf("%s has no host: expected a file or a URL such as https://ton.org/global.config.json", chain.Quote(where))
		}
		return nil
	}
	config, err := loadConfig(context.Background(), where) // a file: nothing waits
	if err != nil {
		return err
	}
	if _, err := parseNetwork(config); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

func readConfig(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "the global config cannot be read", Err: err}
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := readBounded(file, path)
	if err != nil && chain.KindOf(err) != chain.Invalid {
		err = &chain.Error{Kind: chain.Invalid, Message: "the global config cannot be read", Err: err}
	}
	return data, err
}

// readBounded reads a global config. One that is too long is an error of kind Invalid.
func readBounded(from io.Reader, where string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxConfigSize+1))
	if err == nil && len(data) > maxConfigSize {
		err = chain.Invalidf("%s: a global config has at most %d bytes", where, maxConfigSize)
	}
	return data, err
}

func download(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, configTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true} // one request, no idle connection left
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", res.Status)
	}
	return readBounded(res.Body, url)
}

func parseNetwork(config *liteclient.GlobalConfig) (*network, error) {
	n := &network{
		zerostate: blockFromConfig(config.Validator.ZeroState),
		anchor:    blockFromConfig(config.Validator.InitBlock),
	}
	if n.anchor.RootHash.IsZero() {
		n.anchor = n.zerostate
	}
	for _, b := range config.Validator.Hardforks {
		fork := blockFromConfig(b)
		if fork.RootHash.IsZero() || fork.FileHash.IsZero() || fork.Seqno <= n.fork.Seqno {
			return nil, chain.Invalidf("the hard forks of the global config should be blocks in ascending order of their seqnos, with their hashes: %d is not", b.SeqNo)
		}
		n.fork = fork
	}
	seen := map[string]bool{}
	for i, ls := range config.Liteservers {
		key, err := base64.StdEncoding.DecodeString(ls.ID.Key)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, chain.Invalidf("liteserver %d of the global config has no usable key: %s", i+1, chain.Quote(ls.ID.Key))
		}
		ip := uint32(ls.IP) // written as a signed number
		host := net.IPv4(byte(ip>>24), byte(ip>>16), byte(ip>>8), byte(ip)).String()
		e := endpoint{addr: net.JoinHostPort(host, strconv.Itoa(ls.Port)), key: key}
		if ls.Port <= 0 || ls.Port > 65535 {
			return nil, chain.Invalidf("liteserver %d of the global config has the invalid port %d: ports are 1 to 65535", i+1, ls.Port)
		}
		if !seen[e.addr] {
			seen[e.addr] = true
			n.endpoints = append(n.endpoints, e)
		}
	}
	if len(n.endpoints) == 0 {
		return nil, chain.Invalidf("the global config names no liteservers")
	}
	return n, nil
}

func blockFromConfig(b liteclient.ConfigBlock) chain.BlockIDExt {
	return chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: b.SeqNo},
		RootHash: chain.HashFrom(b.RootHash),
		FileHash: chain.HashFrom(b.FileHash),
	}
}
