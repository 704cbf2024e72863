locals {
  frozen = ["vps:apisvc:terminate", "vps:apisvc:reinstall"]
}

resource "svc_iam_policy" "frozen" {
  name       = "frozen"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get", "vps:apisvc:reinstall"]
#                                 ^^^^^^^^^^^^^^^^^^^^^^ allow-under-deny
  deny       = local.frozen
}
