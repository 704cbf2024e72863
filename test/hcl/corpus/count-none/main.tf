resource "svc_iam_policy" "old" {
  count      = 0
  name       = "old"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:*"]
}

resource "svc_iam_policy" "new" {
  name       = "new"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
