resource "svc_iam_policy" "readers" {
  name       = "readers"
  identites  = ["urn:v1:eu:identity:user:ab12-svc/ann"]
# ^^^^^^^^^ shape
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
  exept      = ["vps:apisvc:terminate"]
# ^^^^^ shape
}
