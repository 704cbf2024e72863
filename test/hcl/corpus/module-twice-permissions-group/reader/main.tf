variable "type" { type = string }

resource "svc_iam_permissions_group" "read" {
  name        = "read-${var.type}"
  description = "Reads of ${var.type}"
  allow       = ["${var.type}:apisvc:get"]
}

output "urn" {
  value = svc_iam_permissions_group.read.urn
}
