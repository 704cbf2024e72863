resource "svc_iam_policy" "date_only" {
  name       = "date only"
  identities = ["urn:v1:eu:identity:user:ab12-svc/eve"]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
  expired_at = "2027-01-31"
#              ^^^^^^^^^^^^ expiry-date
}
