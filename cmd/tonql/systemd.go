package main

import (
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notify reports a state of this process to systemd, where systemd is the service manager (NOTIFY_SOCKET), and does nothing
// elsewhere.
func (lc *lifecycle) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		lc.log.Warn("systemd notification failed", "state", state, "err", err)
	}
}

// watchdog returns a ticker of the keepalives that systemd expects (WatchdogSec), twice per interval, or nil if it expects
// none. A process that sends none, because it is stopped or gets no CPU, is restarted.
func (lc *lifecycle) watchdog() *time.Ticker {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		lc.log.Warn("watchdog interval of systemd not usable", "err", err)
	}
	if err != nil || interval < 2 {
		return nil
	}
	return time.NewTicker(interval / 2)
}
