variable "env" {}

locals {
  teams = { web = "urn:v1:eu:identity:group:ab12-svc/web" }
}

resource "svc_iam_policy" "staging_only" {
  for_each   = var.env == "staging" ? local.teams : {}
  name       = "staging ${each.key}"
  identities = [each.value]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:*"]
}
