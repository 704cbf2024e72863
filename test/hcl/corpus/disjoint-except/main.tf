locals {
  never = ["dnsZone:apisvc:record/delete"]
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ idle-except
}

resource "svc_iam_policy" "disjoint" {
  name       = "disjoint"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:*"]
  except     = local.never
}
