resource "svc_iam_policy" "ann" {
  resources = ["urn:v1:eu:resource:vps:${var.machine}"]
  allow     = ["vps:apisvc:get"]
}

variable "machine" {
  default = "vps-2"
}
