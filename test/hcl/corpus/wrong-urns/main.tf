variable "login" {}

resource "svc_iam_policy" "urns" {
  name = "urns"
  identities = [
    "urn:v1:eu:identity:usr:ab12-svc/ann",
#                       ^^^ identity-urn
    "urn:v2:eu:identity:user:ab12-svc/${var.login}",
#        ^^ identity-urn
    "urn:v1:ue:identity:user:ab12-svc/${var.login}",
#           ^^ unknown-region
  ]
  resources = [
    "urn:v1:eu:ressource:vps:vps-1",
#              ^^^^^^^^^ resource-urn
    "urn:v1:eu:resource:vsp:${var.login}",
#                       ^^^ unknown-type
  ]
  allow = ["vps:apisvc:get"]
}
