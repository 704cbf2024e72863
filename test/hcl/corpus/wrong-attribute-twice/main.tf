resource "svc_iam_policy" "twice" {
  name       = "twice"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
  allow      = ["vps:apisvc:stop"]
# ^^^^^ syntax
}
