locals {
  groups = {
    staging    = ["urn:v1:eu:resource:vps:vps-1"]
    production = ["urn:v1:eu:resource:vps:vps-2", "urn:v1:eu:resource:vps:vps-3"]
  }
}

resource "svc_iam_resource_group" "env" {
  for_each  = local.groups
  name      = each.key
  resources = each.value
}

resource "svc_iam_policy" "staging" {
  name       = "staging"
  identities = ["urn:v1:eu:identity:group:ab12-svc/dev"]
  resources  = [svc_iam_resource_group.env["staging"].urn]
  allow      = ["vps:*"]
}

resource "svc_iam_policy" "read_all" {
  name       = "read all"
  identities = ["urn:v1:eu:identity:group:ab12-svc/dev"]
  resources  = [for group in svc_iam_resource_group.env : group.urn]
  allow      = ["vps:apisvc:get"]
}
