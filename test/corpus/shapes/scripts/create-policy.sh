#!/bin/sh
# A policy for the webhook, by the call itself.
set -eu
cat <<JSON | svccloud iam policy create --from-file -
{
  "name": "webhook",
  "identities": ["urn:v1:eu:identity:credential:$ACCOUNT/oauth2-$CLIENT"],
  "resources": [{ "urn": "urn:v1:eu:resource:dnsZone:$ZONE" }],
  "permissions": { "allow": [{ "action": "dnsZone:apisvc:record/create" }] }
}
JSON
