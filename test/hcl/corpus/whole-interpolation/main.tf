# Written as before 0.12: a text that is nothing but a value.
variable "group" {}

resource "svc_iam_policy" "old_style" {
  name       = "${local.name}"
  identities = ["${var.group}"]
  resources  = "${local.resources}"
  allow      = ["${local.product}:apisvc:get"]
}

locals {
  name      = "old style"
  product   = "vps"
  resources = ["urn:v1:eu:resource:vps:vps-1"]
}
