variable "teams" {
  type = map(list(string))
}

resource "svc_iam_policy" "team" {
  for_each   = var.teams
  name       = "team ${each.key}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${each.key}"]
  resources  = [for zone in each.value : "urn:v1:eu:resource:dnsZone:${zone}"]
  allow      = ["dnsZone:apisvc:get"]
}
