#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Creates a playlist and a channel, opens a session and reads its ads. The defaults are those of `midroll demo`.
set -eu

ADMIN_URL=${ADMIN_URL:-http://127.0.0.1:8080}
LIVE_URL=${LIVE_URL:-http://127.0.0.1:8081}
API_KEY=${API_KEY:-demo-key}
CONTENT_URL=${CONTENT_URL:-http://127.0.0.1:8090/hills/master.m3u8}
AD_SERVER_URL=${AD_SERVER_URL:-'http://127.0.0.1:8091/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]'}

api() {
  curl --silent --show-error --fail-with-body -H "x-api-key: $API_KEY" -H 'content-type: application/json' "$@"
  echo
}
# The text of a field of a JSON object on standard input.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

api "$ADMIN_URL/api/v2/playlists" -d '{
  "id": "curl-example", "status": "enabled",
  "contents": [{"sourceType": "url", "url": "'"$CONTENT_URL"'",
                "cuePoints": [{"spliceTime": 0, "maxDuration": 20, "maxAds": 2}]}]}'
api "$ADMIN_URL/api/v2/channels" -d '{
  "id": "curl-example", "state": "enabled", "apiKey": "watch-curl-example", "playlistId": "curl-example",
  "adSource": {"url": "'"$AD_SERVER_URL"'"}}'

# Until the channel is on air, the response is a 503 with the progress, and curl retries.
session=$(curl --silent --fail --retry 60 --retry-all-errors --retry-delay 2 \
  "$LIVE_URL/hls/view/curl-example?api-key=watch-curl-example")
echo "$session"

# A player requests the playlists in turn. From then on, the session is watched, and its breaks are decided.
master=$(echo "$session" | field mediaURL)
media=$(curl --silent --show-error --fail "$master" | grep '^[^#]' | head -n 1)
curl --silent --show-error --fail "${master%/*}/$media" | head -n 12

# The ads of this viewer, with absolute times.
curl --silent --show-error --fail "$(echo "$session" | field trackingURL)"
echo
api "$ADMIN_URL/api/v2/channels/curl-example/sessions"
