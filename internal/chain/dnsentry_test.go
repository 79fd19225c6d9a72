package chain

import (
	"encoding/base32"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADNLText_EncodesTagAddressAndChecksum(t *testing.T) {
	t.Parallel()
	address := Hash{1, 2, 3, 31: 0xff}
	text := ADNLText(address)
	require.Len(t, text, 55)
	require.Equal(t, strings.ToLower(text), text)
	raw, err := base32.StdEncoding.DecodeString("F" + strings.ToUpper(text)) // every tag encodes to this first letter
	require.NoError(t, err)
	require.Equal(t, byte(0x2d), raw[0])
	require.Equal(t, address[:], raw[1:33])
	require.Equal(t, crc16(raw[:33]), binary.BigEndian.Uint16(raw[33:]))
	require.NotEqual(t, text, ADNLText(Hash{1, 2, 4}))
}
