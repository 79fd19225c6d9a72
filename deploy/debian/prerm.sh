#!/bin/sh
# Before removal: the services stop, and start no more. An upgrade lets them run until the new files are in place.
set -e

[ "$1" = remove ] || exit 0
command -v systemctl >/dev/null || exit 0
if [ -d /run/systemd/system ]; then
	systemctl stop tonql.service tonql-index.service 'tonql-serve@*.service'
fi
systemctl disable tonql.service tonql-index.service
for link in /etc/systemd/system/*.wants/tonql-serve@*.service; do
	[ ! -L "$link" ] || systemctl disable "${link##*/}"
done
