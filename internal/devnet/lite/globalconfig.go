package lite

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/ton"
)

// GlobalConfig returns the global configuration of the network: the server's address and
// key, and the blocks from which a client's trust starts. The
// chain must have its first block and the server must listen.
func (s *Server) GlobalConfig() (*liteclient.GlobalConfig, error) {
	ip, port, err := s.advertised()
	if err != nil {
		return nil, err
	}
	zero := s.api.chain.ZerostateID(masterWorkchain)
	initial, err := s.initBlock()
	if err != nil {
		return nil, err
	}
	return &liteclient.GlobalConfig{
		Type: "config.global",
		DHT: liteclient.DHTConfig{
			Type: "dht.config.global", K: 6, A: 3,
			StaticNodes: liteclient.DHTNodes{Type: "dht.nodes", Nodes: []liteclient.DHTNode{}},
		},
		Liteservers: []liteclient.LiteserverConfig{{
			IP:   ip,
			Port: port,
			ID:   liteclient.ServerID{Type: "pub.ed25519", Key: base64.StdEncoding.EncodeToString(s.PublicKey())},
		}},
		Validator: liteclient.ValidatorConfig{
			Type:      "validator.config.global",
			ZeroState: liteclient.ConfigBlock(zero),
			InitBlock: liteclient.ConfigBlock(initial),
			Hardforks: []liteclient.ConfigBlock{},
		},
	}, nil
}

// initBlock is the first key block: clients check signatures from there, and not
// all of them can start at a zerostate.
func (s *Server) initBlock() (ton.BlockIDExt, error) {
	first, err := s.api.chain.BySeqno(masterWorkchain, rootShard, 1)
	if err != nil {
		return ton.BlockIDExt{}, fmt.Errorf("first masterchain block: %w", err)
	}
	if !first.KeyBlock {
		return s.api.chain.ZerostateID(masterWorkchain), nil
	}
	return first.ID, nil
}

// advertised returns the server's address in the form of a global config: the IPv4
// address as a signed 32-bit number. A wildcard address becomes the loopback one.
func (s *Server) advertised() (ip int64, port int, err error) {
	addr, ok := s.Addr().(*net.TCPAddr)
	if !ok {
		return 0, 0, errors.New("the liteserver does not listen")
	}
	v4 := addr.IP.To4()
	if addr.IP.IsUnspecified() || addr.IP.Equal(net.IPv6loopback) {
		v4 = net.IPv4(127, 0, 0, 1).To4()
	}
	if v4 == nil {
		return 0, 0, fmt.Errorf("global config knows IPv4 addresses only, not %s", addr.IP)
	}
	return int64(int32(binary.BigEndian.Uint32(v4))), addr.Port, nil
}

// WriteGlobalConfig writes the configuration to a file atomically.
func (s *Server) WriteGlobalConfig(path string) error {
	cfg, err := s.GlobalConfig()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(cfg, "", "  ")
	if err != nil {
		return fmt.Errorf("global config: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".global-config-*")
	if err != nil {
		return fmt.Errorf("global config: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // fails after the rename, as it should
	_, err = tmp.Write(append(data, '\n'))
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return fmt.Errorf("global config: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("global config: %w", err)
	}
	return nil
}
