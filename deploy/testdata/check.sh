#!/bin/bash
# Runs as a service in a booted Debian: installs the package, and treats the services as an operator and as fate would.
# Standard output has a line for each step that succeeded; the last one is "done".
set -Eeuo pipefail
trap 'echo "failed in line $LINENO: $BASH_COMMAND"; journalctl --no-pager -n 60 -u "tonql*" -u chain; systemctl --no-pager status "tonql*"' ERR

step() { echo "ok: $*"; }
# not fails when a command succeeds, which ! does not.
not() { if "$@"; then return 1; fi; }
# wait_for SECONDS COMMAND…
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.5
  done
}
ready() { curl -fs -o /dev/null "http://127.0.0.1:$1/readyz"; }
head() { curl -fs http://127.0.0.1:$1/api/v3/masterchainInfo | sed -E 's/.*"last":\{[^}]*"seqno":([0-9]+).*/\1/'; }
above() { local now; now=$(head "$1") && ((now > $2)); }
# other succeeds when the service has another process than $pid.
other() { local now; now=$(systemctl show -p MainPID --value tonql.service) && [ "$now" != "$pid" ] && [ "$now" != 0 ]; }
as_tonql() { runuser -u tonql -- "$@"; }

enabled() { find /etc/systemd/system -name 'tonql*' -path '*.wants/*'; }
logged() { journalctl -o cat -u tonql _TRANSPORT=stdout | grep "$@"; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}${Version}' tonql)" = "ii $1" ]; }

export DEBIAN_FRONTEND=noninteractive
dpkg -i /older.deb
installed 1.2.2
[ "$(stat -c '%U:%G %a' /etc/tonql/tonql.yaml)" = 'root:tonql 640' ]
[ "$(stat -c '%U:%G %a' /var/lib/tonql)" = 'tonql:tonql 700' ]
not systemctl is-active -q tonql.service
step installed

cat >/etc/tonql/tonql.yaml <<'YAML'
network: devnet
data: /var/lib/tonql
listen: 127.0.0.1:8080
admin-listen: 127.0.0.1:9100
block-interval: 500ms
log-format: json
YAML
mkdir -p /etc/systemd/system/tonql.service.d
printf '[Service]\nWatchdogSec=10\n' >/etc/systemd/system/tonql.service.d/watchdog.conf
systemctl daemon-reload
systemctl enable --now tonql.service # returns when the service has reported that it is ready
wait_for 120 ready 9100
wait_for 120 above 8080 5
step running

pid=$(systemctl show -p MainPID --value tonql.service)
[ "$(stat -c %U "/proc/$pid")" = tonql ]
grep -q '^NoNewPrivs:.*1' "/proc/$pid/status"
grep -q '^Seccomp:.*2' "/proc/$pid/status"
step sandboxed

not logged -v '^{' # no summary for people
systemctl stop tonql.service
not logged '"level":"ERROR"'
systemctl start tonql.service
wait_for 120 ready 9100
step 'stopped in order'

pid=$(systemctl show -p MainPID --value tonql.service)
before=$(head 8080)
dpkg -i /tonql.deb
installed 1.2.3
wait_for 120 other
wait_for 120 ready 9100
wait_for 120 above 8080 "$before"
step 'upgraded while it runs'

# A service that does not start is not the fault of the package.
mv /etc/tonql/tonql.yaml /etc/tonql/right.yaml
echo 'network: nowhere' >/etc/tonql/tonql.yaml
dpkg -i /tonql.deb
installed 1.2.3
mv /etc/tonql/right.yaml /etc/tonql/tonql.yaml
wait_for 120 ready 9100
step 'upgraded while it cannot start, and back when it can'

pid=$(systemctl show -p MainPID --value tonql.service)
before=$(head 8080)
kill -9 "$pid"
wait_for 120 ready 9100
wait_for 120 above 8080 "$before"
[ "$(systemctl show -p MainPID --value tonql.service)" != "$pid" ]
step 'restarted after a kill'

pid=$(systemctl show -p MainPID --value tonql.service)
kill -STOP "$pid"
wait_for 120 other
wait_for 120 ready 9100
step 'restarted by the watchdog'

as_tonql tonql doctor --config /etc/tonql/tonql.yaml
as_tonql tonql merchants create shop --page http://127.0.0.1:8080 --config /etc/tonql/tonql.yaml >/dev/null
step 'commands beside the service'

install -d -o tonql -g tonql -m 700 /var/backups/tonql
not as_tonql tonql backup /var/backups/tonql/a --config /etc/tonql/tonql.yaml # it has to be decided about the key
as_tonql tonql backup /var/backups/tonql/a --secrets include --config /etc/tonql/tonql.yaml
after=$(head 8080)
kill -9 "$(systemctl show -p MainPID --value tonql.service)"
systemctl stop tonql.service
key=$(sha256sum </var/lib/tonql/webhook.key)
rm -rf /var/lib/tonql/*
as_tonql tonql restore /var/backups/tonql/a --config /etc/tonql/tonql.yaml
systemctl start tonql.service
wait_for 120 ready 9100
wait_for 120 above 8080 "$after"
[ "$(sha256sum </var/lib/tonql/webhook.key)" = "$key" ]
as_tonql tonql merchants list --config /etc/tonql/tonql.yaml | grep -q shop
as_tonql tonql verify --config /etc/tonql/tonql.yaml
as_tonql tonql verify --offline --config /etc/tonql/tonql.yaml
step 'backed up while running, killed, restored and verified'

# The second network of docs/deployment.md.
sed -E 's|8080|8090|; s|9100|9110|; s|/var/lib/tonql|&-testnet|' /etc/tonql/tonql.yaml >/etc/tonql/testnet.yaml
sed -E '/^Conflicts/d; s|/etc/tonql/tonql\.yaml|/etc/tonql/testnet.yaml|; s/^((State|Runtime)Directory=tonql)$/\1-testnet/;
  s#(=/var/lib/tonql|/run/tonql)$#\1-testnet#' /usr/lib/systemd/system/tonql.service >/etc/systemd/system/tonql-testnet.service
systemctl daemon-reload
systemctl start tonql-testnet
wait_for 120 ready 9110
wait_for 120 above 8090 3
ready 9100
[ "$(stat -c '%U:%G %a' /var/lib/tonql-testnet)" = 'tonql:tonql 700' ]
systemctl stop tonql-testnet
rm -r /etc/systemd/system/tonql-testnet.service /var/lib/tonql-testnet /etc/tonql/testnet.yaml
systemctl daemon-reload
step 'another network beside it'

systemctl disable --now tonql.service
wait_for 30 test ! -e /run/tonql
step stopped

# Indexer and gateways of one database, which another PostgreSQL has.
systemctl start postgresql
runuser -u postgres -- createuser tonql
runuser -u postgres -- createdb -O tonql -T template0 -E UTF8 -l C tonql
systemd-run -q --unit=chain -p User=tonql -p StateDirectory=chain tonql devnet --data /var/lib/chain --block-interval 500ms
wait_for 60 test -e /var/lib/chain/devnet/global.config.json
cat >/etc/tonql/tonql.yaml <<'YAML'
network: devnet
global-config: /var/lib/chain/devnet/global.config.json
data: /var/lib/tonql
database-url: postgres:///tonql?host=/run/postgresql
listen: 127.0.0.1:8080
admin-listen: 127.0.0.1:9100
YAML
rm -rf /var/lib/tonql/*
systemctl enable --now tonql-index tonql-serve@8081 tonql-serve@8082 # of an empty database
for port in 8081 8082; do
  wait_for 120 ready "1$port"
  wait_for 120 above "$port" 5
done
step 'indexer and two gateways'

before=$(head 8081)
kill -9 "$(systemctl show -p MainPID --value tonql-index.service)" "$(systemctl show -p MainPID --value tonql-serve@8081.service)"
wait_for 120 above 8082 "$before"
wait_for 120 ready 18081
wait_for 120 above 8081 "$before"
step 'indexer and gateway restarted after a kill'

dpkg -r tonql
not systemctl is-active -q tonql-index.service
not systemctl is-active -q tonql-serve@8081.service
[ -z "$(enabled)" ]
test -d /var/lib/tonql
test -e /etc/tonql/tonql.yaml
step 'removed, with data and configuration left'

dpkg -P tonql
test ! -e /etc/tonql
test -e /var/lib/tonql/webhook.key
rm -r /var/lib/tonql /var/backups/tonql /etc/systemd/system/tonql.service.d
runuser -u postgres -- dropdb tonql
runuser -u postgres -- dropuser tonql
systemctl stop chain
userdel tonql
[ -z "$(find / -xdev -name '*tonql*' ! -path '/proc/*' ! -name tonql.deb)" ]
step 'purged, and nothing left'

dpkg -i /tonql.deb
[ -z "$(enabled)" ]
not systemctl is-active -q tonql.service tonql-index.service tonql-serve@8081.service
step 'installed again, and starts nothing'
echo 'done'
