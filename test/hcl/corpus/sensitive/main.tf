variable "deployer" {
  type      = string
  sensitive = true
  default   = "urn:v1:eu:identity:user:ab12-svc/ann"
}

resource "svc_iam_policy" "secret" {
  name       = "secret"
  identities = [var.deployer]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
