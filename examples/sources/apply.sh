#!/usr/bin/env bash
# Creates two policies: the second one is for the account in the environment.
set -euo pipefail

curl --fail --request POST "$API/v2/iam/policy" --json '{
  "name": "operators",
  "identities": ["urn:v1:eu:identity:group:ab12-svc/operators"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:*" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:rebooot" }] }
}'

curl --fail --request POST "$API/v2/iam/policy" --json @- <<EOF
{
  "name": "auditors of $ACCOUNT",
  "identities": [
    "urn:v1:eu:identity:group:$ACCOUNT/auditors",
    "urn:v1:xx:identity:user:$ACCOUNT/ann"
  ],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:*" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:get" }] }
}
EOF
