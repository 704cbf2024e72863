locals {
  start = "2026-01-10T00:00:00Z"
}

resource "svc_iam_policy" "trial" {
  name       = "trial"
  identities = ["urn:v1:eu:identity:user:ab12-svc/eve"]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
  expired_at = timeadd(local.start, "720h")
}
