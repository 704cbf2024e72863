resource "svc_iam_policy" "singular" {
  name       = "singular"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  condition {
# ^^^^^^^^^ shape
    operator = "MATCH"
    values   = { "resource.Name" = "vps-1" }
  }
}
