variable "ticket" {}

resource "svc_iam_policy" "noted" {
  name        = "noted"
  description = jsonencode({ ticket = var.ticket, owner = "web" })
  identities  = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources   = ["urn:v1:eu:resource:vps:vps-1"]
  allow       = ["vps:apisvc:get"]
}
