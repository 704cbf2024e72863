# A policy that is also written to a file: the file is no policy of ours.
locals {
  statement = {
    name       = "machines"
    identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources  = [{ urn = "urn:v1:eu:resource:vps:vps-1" }]
    permissions = {
      allow = [{ action = "vps:apisvc:get" }]
    }
  }
}

resource "local_file" "copy" {
  filename = "${path.module}/policy.json"
  content  = jsonencode(local.statement)
}

resource "svc_iam_policy" "machines" {
  name       = local.statement.name
  identities = local.statement.identities
  resources  = local.statement.resources[*].urn
  allow      = local.statement.permissions.allow[*].action
}
