package dashboard

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"tonql/internal/chain"
)

// PasswordCost has the parameters of argon2id for new passwords. Stored hashes name their own.
type PasswordCost struct {
	Time, Memory uint32 // passes; KiB
	Threads      uint8
}

// defaultPasswordCost is the second recommendation of RFC 9106.
var defaultPasswordCost = PasswordCost{Time: 3, Memory: 64 << 10, Threads: 4}

const (
	saltBytes = 16
	sumBytes  = 32

	shortestPassword = 10
	longestPassword  = 200
)

// lane bounds the memory and time of hashing: it hashes one password at a time and lets few attempts wait.
type lane struct {
	cost    PasswordCost
	running chan struct{}
	present chan struct{} // running or waiting
}

// maxHashing bounds the attempts of one lane, running and waiting.
const maxHashing = 64

// busyPause is the Retry-After of a full lane.
const busyPause = 5 * time.Second

// errBusy is the error of a full lane.
var errBusy = chain.Unavailablef(nil, "too many passwords are checked at this moment; try again in a few seconds")

func newLane(cost PasswordCost) lane {
	return lane{cost: cost, running: make(chan struct{}, 1), present: make(chan struct{}, maxHashing)}
}

// lanes separate recognised clients from others, so that they do not wait for them.
type lanes struct{ guests, recognised lane }

func argon(ctx context.Context, l *lane, password string, salt []byte, cost PasswordCost) ([]byte, error) {
	select {
	case l.present <- struct{}{}:
	default:
		return nil, errBusy
	}
	defer func() { <-l.present }()
	select {
	case l.running <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.running }()
	return argon2.IDKey([]byte(password), salt, cost.Time, cost.Memory, cost.Threads, sumBytes), nil
}

// hashPassword returns the argon2id hash of a password in PHC format.
func hashPassword(ctx context.Context, l *lane, password string) (string, error) {
	switch {
	case len(password) < shortestPassword:
		return "", chain.Invalidf("a password has at least %d characters", shortestPassword)
	case len(password) > longestPassword:
		return "", chain.Invalidf("a password has at most %d characters", longestPassword)
	}
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails
	sum, err := argon(ctx, l, password, salt, l.cost)
	if err != nil {
		return "", err
	}
	return phcOf(l.cost, salt, sum), nil
}

// phcOf formats a hash in PHC format.
func phcOf(cost PasswordCost, salt, sum []byte) string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, cost.Memory, cost.Time, cost.Threads, b64(salt), b64(sum))
}

// checkPassword compares a password with a PHC string; an empty string matches none, and costs as much as one of a new password, so that
// the response time does not reveal whether a name exists.
func checkPassword(ctx context.Context, l *lane, password, phc string) (bool, error) {
	exists := phc != ""
	if !exists {
		phc = phcOf(l.cost, make([]byte, saltBytes), make([]byte, sumBytes))
	}
	if len(password) > longestPassword {
		return false, nil
	}
	var version int
	var cost PasswordCost
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("the stored password hash has an unknown format")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &cost.Memory, &cost.Time, &cost.Threads); err != nil {
		return false, fmt.Errorf("the stored password hash has an unknown format: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("salt of a password: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("sum of a password: %w", err)
	}
	got, err := argon(ctx, l, password, salt, cost)
	if err != nil {
		return false, err
	}
	return exists && subtle.ConstantTimeCompare(got, want) == 1, nil
}
