#!/bin/sh
# After removal: the data and the account stay, since an index takes days to build. Their removal is the operator's decision.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
if [ "$1" = purge ] && [ -d /var/lib/tonql ]; then
	echo 'tonql: /var/lib/tonql is left in place; remove it with: rm -r /var/lib/tonql' >&2
fi
