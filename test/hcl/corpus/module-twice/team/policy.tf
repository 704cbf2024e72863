variable "group" {}
variable "vps" {}

resource "svc_iam_policy" "this" {
  name       = "machines of ${var.group}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${var.group}"]
  resources  = ["urn:v1:eu:resource:vps:${var.vps}"]
  # One mistake, however often the module is called.
  allow = ["vps:apisvc:get", "vps:apisvc:rebot"]
#                            ^^^^^^^^^^^^^^^^^^ unknown-action
}
