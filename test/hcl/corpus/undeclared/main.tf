# Names of nothing: Terraform refuses them.
resource "svc_iam_policy" "names" {
  name       = "names"
  identities = [var.grop]
#               ^^^^^^^^ syntax
  resources  = [local.machnes]
#               ^^^^^^^^^^^^^ syntax
  allow      = ["vps:apisvc:get"]
}

variable "group" {}

locals {
  machines = "urn:v1:eu:resource:vps:vps-1"
}
