#!/bin/sh
# Before removal: the services stop. An upgrade lets them run until the new files are in place.
set -e

[ "$1" = remove ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now tonql.service tonql-index.service
systemctl stop 'tonql-serve@*.service'
