resource "svc_iam_policy" "given" {
  id         = "72e78c67-c2cf-4294-aafc-830c8a2aedd7"
# ^^ shape
  name       = "given"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
