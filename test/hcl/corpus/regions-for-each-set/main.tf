resource "svc_iam_policy" "backup" {
  for_each   = toset(["eu", "ca"])
  name       = "backup in ${each.key}"
  identities = ["urn:v1:${each.value}:identity:credential:ab12-svc/oauth2-0f0f0f0f0f0f0f0f"]
  resources  = ["urn:v1:${each.value}:resource:vps:*"]
  allow      = ["vps:apisvc:snapshot/*"]
}
