resource "svc_iam_policy" "block" {
  name       = "block"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow {
# ^^^^^ shape
    action = "vps:apisvc:get"
  }
}
