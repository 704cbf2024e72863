# A module of a registry may hold any policy, and what it gives is not known.
module "label" {
  source  = "registry.example.org/platform/label/null"
  version = "1.2.0"
}

resource "svc_iam_policy" "labelled" {
  name       = "labelled"
  identities = [module.label.group_urn]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
