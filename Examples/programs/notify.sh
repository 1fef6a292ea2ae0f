#!/bin/sh
# A desktop notification when stress becomes high, as a program of:
#
#     stressmon publish "exec:$PWD/notify.sh?events=category"
set -eu
read -r event
case $event in
  *'"category":"high"'*) notify-send stressmon "Stress is high. Take a break." ;;
  *) printf '%s\n' "$event" >> "${STRESSMON_EVENTS:-/dev/null}" ;;
esac
