variable "env" {
  default = "production"
}

resource "svc_iam_policy" "dev" {
  name       = "dev in ${var.env}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/dev"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = var.env == "production" ? ["vps:apisvc:get"] : ["vps:*"]
  deny       = var.env == "production" ? ["vps:apisvc:terminate"] : null
}
