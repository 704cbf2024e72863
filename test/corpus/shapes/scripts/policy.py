import svc

client = svc.Client()
client.post("/v2/iam/policy", **{
    "name": "exporter",
    "identities": ["urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.1"],
    "resources": [{"urn": "urn:v1:eu:resource:publicCloudProject:*"}],
    "permissions": {"allow": [{"action": "publicCloudProject:apisvc:get"}]},
})
