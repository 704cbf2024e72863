variable "until" {
  description = "When the contract ends"
  type        = string
}

resource "svc_iam_policy" "contractor" {
  name       = "contractor"
  identities = ["urn:v1:eu:identity:user:ab12-svc/eve"]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
  expired_at = var.until
}
