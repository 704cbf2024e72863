resource "svc_iam_policy" "quotes" {
  name       = "quotes"
  identities = [urn:v1:eu:identity:user:ab12-svc/ann]
#                  ^ syntax
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
