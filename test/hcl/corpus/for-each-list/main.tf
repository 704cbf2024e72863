# A list is not gone through: an item may be in it twice.
resource "svc_iam_policy" "reader" {
  for_each   = ["ann", "bob"]
#              ^^^^^^^^^^^^^^ shape
  name       = "reader ${each.key}"
  identities = ["urn:v1:eu:identity:user:ab12-svc/${each.key}"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}
