resource "svc_iam_policy" "machine" {
  count      = 2
  name       = "machine ${count.index + 1}"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-${count.index + 1}"]
  allow      = ["vps:apisvc:*"]
}
