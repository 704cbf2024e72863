# A policy kept as JSON and taken apart again.
locals {
  raw = <<EOT
{
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "actions": ["vps:apisvc:get", "vps:apisvc:stop"]
}
EOT
  policy = jsondecode(local.raw)
}

resource "svc_iam_policy" "decoded" {
  name       = "decoded"
  identities = local.policy.identities
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = local.policy.actions
}
