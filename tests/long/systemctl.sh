#!/bin/bash
# Replaces systemctl on machines without systemd: starts and stops keepfirst@PORT according to its unit, and nginx.
set -eu

start() {
  port=${1#keepfirst@}
  unit=/etc/systemd/system/keepfirst@.service
  value() { sed -n "s/^$1=//p" "$unit" | sed "s/%i/$port/g"; }
  install -d -m "$(value StateDirectoryMode)" -o "$(value User)" "/var/lib/$(value StateDirectory)"
  (
    for setting in $(value Environment); do export "${setting?}"; done
    set -a
    . "$(value EnvironmentFile)"
    cd "$(value WorkingDirectory)"
    # shellcheck disable=SC2046
    exec setsid setpriv --reuid "$(value User)" --regid "$(value Group)" --clear-groups $(value ExecStart)
  ) >>"/var/log/keepfirst-$port.log" 2>&1 &
  echo $! >"/run/keepfirst-$port.pid"
}

stop() {
  pid=$(cat "/run/keepfirst-${1#keepfirst@}.pid")
  kill -TERM "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

verb=$1
shift
[ "${1:-}" = --now ] && shift
for unit in "$@"; do
  case "$verb $unit" in
    "reload nginx") nginx -s reload 2>/dev/null || nginx ;;
    "enable keepfirst@"*) start "$unit" ;;
    "restart keepfirst@"*) stop "$unit" && start "$unit" ;;
    *) echo "not supported by this replacement for systemctl: $verb $unit" >&2 && exit 1 ;;
  esac
done
