#!/usr/bin/env bash
# Walks through the interface against `grantwise serve`, with curl and a standard OAuth 2.0 client library (token.mjs).
# It starts the emulator on a free port, and stops it.
#
#   GRANTWISE=grantwise ./walk.sh     # the program; default: that of this clone
#
# Each step prints what it does and the answer. Anything unexpected ends the walk with code 1.
set -euo pipefail
shopt -s inherit_errexit 2>/dev/null || true

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
server=

grantwise() {
  if [ -n "${GRANTWISE:-}" ]; then exec "$GRANTWISE" "$@"; else exec node "$here/../../bin/grantwise.js" "$@"; fi
}

title() { printf '\n%s\n' "$1"; }
say() { printf '  %s\n' "$1"; }
fail() {
  printf '  UNEXPECTED: %s\n' "$1"
  [ -s "$work/body" ] && printf '  last answer: %s\n' "$(head -c 2000 "$work/body")"
  [ -s "$work/err" ] && printf '  standard error of the emulator: %s\n' "$(tail -n 5 "$work/err")"
  exit 1
}

# --- The emulator: started on a free port with its state in a file, and stopped.

start() {
  : >"$work/out"
  (grantwise serve --port 0 --seed "$here/seed.yaml" --state "$work/state.db" --record "$work/calls.ndjson" --quiet) \
    >"$work/out" 2>>"$work/err" &
  server=$!
  for _ in $(seq 300); do
    if grep -q '^service account' "$work/out"; then break; fi
    kill -0 "$server" 2>/dev/null || fail 'the emulator ended at once'
    sleep 0.1
  done
  eu=$(sed -n 's/^eu  \([^ ]*\).*/\1/p' "$work/out")
  ca=$(sed -n 's/^ca  \([^ ]*\).*/\1/p' "$work/out")
  if [ -z "$eu" ] || [ -z "$ca" ]; then fail 'the emulator did not print its address'; fi
}

# stop SIGNAL CODE
stop() {
  local code=0
  kill "-$1" "$server"
  wait "$server" 2>/dev/null || code=$?
  server=
  [ "$code" = "$2" ] || fail "the emulator ended with code $code, not $2"
}

finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

# --- Calls with curl. The answer is left in files: its status, head and body.

# request METHOD URL [curl's arguments]
request() {
  local method=$1 url=$2
  shift 2
  : >"$work/body"
  status=$(curl -sS --max-time 30 -X "$method" -o "$work/body" -D "$work/head" -w '%{http_code}' "$url" "$@") ||
    fail "no answer to $method $url"
}

# expect CODE
expect() { [ "$status" = "$1" ] || fail "status $status, not $1"; }

# field PATH: a value in the JSON of the answer, such as `consumerKey` or `0.name`. Texts are printed without quotes.
field() { filled "{$1}"; }

# print TEXT: a line in which `{PATH}` stands for such a value.
print() { say "$(filled "$1")"; }

filled() {
  node -e '
    const body = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
    const at = (path) => path.split(".").reduce((value, key) => value?.[key], body)
    const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? "nothing")
    process.stdout.write(process.argv[2].replace(/\{([\w.]+)\}/g, (_, path) => shown(at(path))))' "$work/body" "$1"
}

# is PATH VALUE [PATH VALUE ...]: what the answer must contain.
is() {
  local wanted='' found='' separator=$'\n'
  while [ $# -gt 0 ]; do
    found+="$1 is {$1}$separator"
    wanted+="$1 is $2$separator"
    shift 2
  done
  found=$(filled "$found")
  [ "$found$separator" = "$wanted" ] || fail "$found, and should be: $wanted"
}

# header NAME: a header of the answer; empty if it is missing.
header() { tr -d '\r' <"$work/head" | { grep -i "^$1: " || true; } | sed 's/^[^:]*: //' | tail -n 1; }

# bearer METHOD URL [curl's arguments]: a call with the token.
bearer() { request "$@" -H "Authorization: Bearer $token" -H 'accept: application/json'; }

# signed METHOD URL [BODY]: a call with AK, AS and CK. This is the published signing scheme.
signed() {
  local method=$1 url=$2 body=${3:-} time text signature
  time=$(curl -sS --max-time 30 "$eu/1.0/auth/time")
  text="$application_secret+$consumer_key+$method+$url+$body+$time"
  signature=$(printf %s "$text" | { sha1sum 2>/dev/null || shasum; } | cut -d ' ' -f 1)
  request "$method" "$url" -H "X-Service-Application: $application_key" -H "X-Service-Consumer: $consumer_key" \
    -H "X-Service-Timestamp: $time" -H "X-Service-Signature: \$1\$$signature" \
    -H 'Content-type: application/json' ${body:+--data-binary "$body"}
}

# in_page ID: the text of an element of the page that came back.
in_page() { sed -n "s/.*id=\"$1\"[^>]*>\([^<]*\)<.*/\1/p" "$work/body" | head -n 1; }
form_token() { sed -n 's/.*name="form_token" value="\([^"]*\)".*/\1/p' "$work/body" | head -n 1; }

account=ab12-svc
client_id=EU.0123456789abcdef
identity=urn:v1:eu:identity:credential:$account/oauth2-$client_id
website=urn:v1:eu:resource:webHosting:example.org

# policy NAME ACTION URN: the body of a policy for the service account.
policy() {
  printf '{"name":"%s","description":"","identities":["%s"],"resources":[{"urn":"%s"}],"permissions":{"allow":[{"action":"%s"}]}}' \
    "$1" "$identity" "$3" "$2"
}

title 'Start'
start
client_secret=$(sed -n 's/^  client_secret  \([^ ]*\).*/\1/p' "$work/out")
[ "${#client_secret}" -ge 16 ] || fail 'no secret was generated'
say "the emulator serves two regions; its one account, $account, has a service account and no policy"

title 'Register an application on its page'
request GET "$eu/createApp"
expect 200
request POST "$eu/createApp" --data-urlencode "form_token=$(form_token)" --data-urlencode 'name=Hosting helper' \
  --data-urlencode 'description=Looks after websites' --data-urlencode "account=$account"
expect 200
application_key=$(in_page application-key)
application_secret=$(in_page application-secret)
if [ -z "$application_key" ] || [ -z "$application_secret" ]; then fail 'the page shows no keys'; fi
say "AK has ${#application_key} characters, AS ${#application_secret}; the secret is shown this once"

title 'Ask for delegated access: POST /1.0/auth/credential'
rules='[{"method":"GET","path":"/hosting/web/*"},{"method":"POST","path":"/v2/iam/policy"}]'
request POST "$eu/1.0/auth/credential" -H 'Content-type: application/json' -H "X-Service-Application: $application_key" \
  --data "{\"redirection\":\"https://helper.example/done\",\"accessRules\":$rules}"
expect 200
is state pendingValidation
consumer_key=$(field consumerKey)
validation_url=$(field validationUrl)
say "state pendingValidation, a consumer key (CK), and a validationUrl"
signed GET "$eu/1.0/hosting/web/example.org"
expect 403
print "before the customer accepts, the key is refused: $status {message}"

title 'Accept as the customer, at validationUrl'
request GET "$validation_url"
expect 200
request POST "${validation_url%%\?*}" --data-urlencode "form_token=$(form_token)" --data-urlencode "token=${validation_url#*token=}" \
  --data-urlencode "identity=urn:v1:eu:identity:account:$account" --data-urlencode answer=accept
expect 303
[ "$(header location)" = https://helper.example/done ] || fail "redirected to $(header location)"
say "redirected to $(header location)"

title 'Send signed calls within the access rules, and outside'
signed GET "$eu/1.0/hosting/web/example.org"
expect 200
say "GET /1.0/hosting/web/example.org: $status"
signed GET "$eu/1.0/vps"
expect 403
is message 'This call has not been granted'
print "GET /1.0/vps: $status {class}: {message}"
application_secret="$application_secret." signed GET "$eu/1.0/hosting/web/example.org"
expect 400
print "signed with another secret: $status {message}"

title 'Get a token for the service account: POST /auth/oauth2/token'
export CLIENT_ID=$client_id CLIENT_SECRET=$client_secret
node "$here/token.mjs" "$eu" >"$work/body" || fail 'no token'
token=$(field access_token)
is expires_in 3599 scope all
print '{token_type} token for {expires_in} seconds, scope {scope}'
if node "$here/token.mjs" "$ca" >"$work/body" 2>"$work/refused"; then fail 'the host of the other region gave a token'; fi
grep -q '^invalid_client: ' "$work/refused" || fail "refused with $(cat "$work/refused")"
say 'the host of CA refuses the account of EU: invalid_client'
request POST "$eu/auth/oauth2/token" --data grant_type=client_credentials --data scope=all \
  --data-urlencode "client_id=$client_id" --data-urlencode "client_secret=$client_secret"
expect 200
is token_type Bearer
say 'the same form sent by curl: Bearer'

title 'Call without a policy: refused'
bearer GET "$eu/v1/hosting/web/example.org"
expect 403
is class Client::Forbidden details.unauthorizedActionsByIAM webHosting:apisvc:get
print "$status {class}: {message}"
print 'needed: {details.unauthorizedActionsByIAM} on {details.standIn.refused.0.resource}'

title 'Create a policy, as the owning account through the application'
signed POST "$eu/v2/iam/policy" "$(policy 'website monitor' webHosting:apisvc:get "$website")"
expect 200
print "policy \`{name}\`: {permissions.allow.0.action} for oauth2-$client_id"

title 'The policy applies to the next call'
bearer GET "$eu/v1/hosting/web/example.org"
expect 200
is serviceName example.org
say "GET /v1/hosting/web/example.org: $status"
bearer GET "$eu/1.0/hosting/web/example.org"
expect 200
say "GET /1.0/hosting/web/example.org, the same under the other prefix: $status"
bearer GET "$eu/v1/hosting/web/shop.example.org"
expect 403
say "GET /v1/hosting/web/shop.example.org, which no policy covers: $status"

title 'List policies, two per page: GET /v2/iam/policy'
while IFS='|' read -r name action urn; do
  signed POST "$eu/v2/iam/policy" "$(policy "$name" "$action" "$urn")"
  expect 200
done <<END
policy readers|account:apisvc:iam/policy/get|urn:v1:eu:resource:account:$account
backup keepers|vmwareCloudDirectorBackup:*|urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1
server readers|vps:apisvc:get|urn:v1:eu:resource:vps:*
shop owners|webHosting:*|urn:v1:eu:resource:webHosting:shop.example.org
END
cursor=
pages=0
listed=0
while :; do
  bearer GET "$eu/v2/iam/policy" -H 'X-Pagination-Size: 2' ${cursor:+-H "X-Pagination-Cursor: $cursor"}
  expect 200
  size=$(field length)
  pages=$((pages + 1))
  listed=$((listed + size))
  cursor=$(header X-Pagination-Cursor-Next)
  say "page $pages: $size, $([ -n "$cursor" ] && echo 'and a cursor for the next' || echo 'and no cursor: the last')"
  [ -n "$cursor" ] || break
  [ "$pages" -lt 9 ] || fail 'the pages do not end'
done
[ "$pages $listed" = '3 5' ] || fail "$listed policies in $pages pages"

title 'Change the target state of a resource: a task and its events'
resource=$eu/v2/vmwareCloudDirector/backup/backup-1
bearer GET "$resource"
expect 200
print 'current: {currentState}'
bearer PUT "$resource" -H 'Content-type: application/json' --data '{"targetSpec":{"offers":["daily","weekly"]}}'
expect 200
print 'target:  {targetSpec}'
for _ in $(seq 300); do
  bearer GET "$resource/task"
  expect 200
  [ "$(field 0.status)" != DONE ] || break
  sleep 0.5
done
is 0.status DONE 0.errors '[]'
print 'task:    {0.status}, its steps {0.progress}'
bearer GET "$resource/event"
expect 200
is length 3 0.type TargetSpecUpdate 1.type TaskStart 2.type TaskSuccess
for number in 0 1 2; do print "event:   {$number.type}: {$number.message}" | sed 's/[0-9a-f-]\{36\}/…/'; done
bearer GET "$resource"
is currentState '{"offers":["daily","weekly"]}' currentTasks '[]'
print 'current: {currentState}'

title 'Choose the schema version of a call: X-Schemas-Version'
is resourceStatus READY
print "without the header, version $(header X-Schemas-Version) of the account: resourceStatus {resourceStatus}"
bearer GET "$resource" -H 'X-Schemas-Version: 2'
expect 200
is status READY
print "version $(header X-Schemas-Version): status {status}"
bearer GET "$resource" -H 'X-Schemas-Version: 9'
expect 400
print "version 9: $status {message}"

title 'Stop, kill and restart: no acknowledged change is lost'
stop TERM 0
start
grep -q 'the state was stored before' "$work/out" || fail 'the state was not kept'
bearer GET "$eu/v1/hosting/web/example.org"
expect 200
say 'after SIGTERM: the token and the policy still hold'
signed POST "$eu/v2/iam/policy" "$(policy 'written last' dnsZone:apisvc:get 'urn:v1:eu:resource:dnsZone:*')"
expect 200
written=$(field id)
stop KILL 137
start
bearer GET "$eu/v2/iam/policy/$written"
expect 200
print "after SIGKILL: \`{name}\` still exists"
stop TERM 0
refused=$(grep -c '"verdict":"deny","credential"' "$work/calls.ndjson")
[ "$refused" = 3 ] || fail "$refused refused calls were recorded, not 3"
say 'each call was recorded, also the refused ones'

title 'Done: everything was as expected'
