variable "group" {}

resource "svc_iam_policy" "values" {
  name       = "values"
  identities = [var.group]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
