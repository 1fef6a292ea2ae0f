#!/bin/sh
# Marks the live session and adds a journal entry, for a key of a keyboard or a Stream Deck. Create the token once with:
#
#     export STRESSMON_TOKEN=$(stressmon serve token add deck --scope write)
set -eu
url=${STRESSMON_URL:-http://127.0.0.1:8077}

post() {
  curl --silent --show-error --fail-with-body -H "Authorization: Bearer $STRESSMON_TOKEN" \
    -H 'Content-Type: application/json' --data "$2" "$url$1"
}

post /api/v1/marks "{\"note\":\"${1:-button}\"}"
post /api/v1/journal "{\"mood\":${2:-5},\"note\":\"${1:-button}\"}"
