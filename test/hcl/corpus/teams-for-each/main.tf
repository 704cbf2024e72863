locals {
  account = "ab12-svc"
  teams = {
    web = { machines = ["vps-1", "vps-2"], verbs = ["reboot", "get"] }
    ops = { machines = ["vps-3"], verbs = ["*"] }
  }
}

resource "svc_iam_policy" "team" {
  for_each   = local.teams
  name       = "team ${each.key}"
  identities = ["urn:v1:eu:identity:group:${local.account}/${each.key}"]
  resources  = [for machine in each.value.machines : "urn:v1:eu:resource:vps:${machine}"]
  allow      = [for verb in each.value.verbs : "vps:apisvc:${verb}"]
}
