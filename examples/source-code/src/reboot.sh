#!/bin/sh
API="${API:-https://eu.api.svc.example/v1}"

curl -sS -X POST -H "Authorization: Bearer $TOKEN" "$API/vps/web-1/reboot"
curl -sS -H "Authorization: Bearer $TOKEN" "$API/me" | jq -r .nichandle
