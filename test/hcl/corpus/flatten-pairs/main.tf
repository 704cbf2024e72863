locals {
  teams = {
    web = { zones = ["example.org", "example.net"], level = "edit" }
    dev = { zones = ["example.com"], level = "get" }
  }
  grants = flatten([
    for team, facts in local.teams : [
      for zone in facts.zones : { team = team, zone = zone, level = facts.level }
    ]
  ])
}

resource "svc_iam_policy" "grant" {
  for_each   = { for grant in local.grants : "${grant.team}/${grant.zone}" => grant }
  name       = "dns ${replace(each.key, "/", " ")}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${each.value.team}"]
  resources  = ["urn:v1:eu:resource:dnsZone:${each.value.zone}"]
  allow      = ["dnsZone:apisvc:record/${each.value.level}"]
}
