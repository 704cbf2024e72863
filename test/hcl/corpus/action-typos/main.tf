variable "verb" {}

resource "svc_iam_policy" "actions" {
  name       = "actions"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow = [
    "vps:apisvc:get",
    "vsp:apisvc:${var.verb}",
#    ^^^ unknown-product
    "vps:apisvc:snapshot/${var.verb}",
    "vps apisvc:get",
#       ^ stray-character
  ]
}
