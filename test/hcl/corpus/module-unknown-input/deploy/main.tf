variable "identity" {}
variable "until" { default = null }

resource "svc_iam_policy" "deploy" {
  name       = "deploy"
  identities = [var.identity]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:edit"]
  expired_at = var.until
}
