locals {
  a = "${local.b}x"
# ^ syntax
  b = "${local.a}y"
}

resource "svc_iam_policy" "cycle" {
  name       = "cycle"
  identities = ["urn:v1:eu:identity:user:ab12-svc/${local.a}"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
