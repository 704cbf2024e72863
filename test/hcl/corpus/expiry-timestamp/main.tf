# What the clock says when it is applied is not known before.
resource "svc_iam_policy" "hour" {
  name       = "an hour"
  identities = ["urn:v1:eu:identity:user:ab12-svc/eve"]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
  expired_at = timeadd(timestamp(), "1h")
}
