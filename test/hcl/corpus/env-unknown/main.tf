variable "env" {
  type = string
}

resource "svc_iam_policy" "dev" {
  name       = "dev"
  identities = ["urn:v1:eu:identity:group:ab12-svc/dev"]
  resources  = ["urn:v1:eu:resource:vps:${var.env}-1"]
  allow      = var.env == "production" ? ["vps:apisvc:get"] : ["vps:apisvc:get", "vps:apisvc:stop"]
}
