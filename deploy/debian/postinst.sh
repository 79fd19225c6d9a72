#!/bin/sh
# After the files are in place: the account, folders and permissions, then services that ran before the upgrade.
set -e

[ "$1" = configure ] || exit 0

systemd-sysusers tonql.conf
systemd-tmpfiles --create tonql.conf

[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
# $2 is the version before an upgrade. The first installation starts nothing: the configuration comes first. A start may migrate the schema for
# hours, or fail because the network is down: neither is a failure of the installation.
if [ -n "$2" ]; then
	systemctl --no-block try-restart tonql.service tonql-index.service 'tonql-serve@*.service' || true
fi
