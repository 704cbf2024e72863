resource "svc_iam_policy" "one" {
  name       = "machines"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1", "urn:v1:eu:resource:vps:vps-1"]
#                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-resource
  allow      = ["vps:apisvc:get", "vps:apisvc:*"]
#               ^^^^^^^^^^^^^^^^ redundant-action
}

resource "svc_iam_policy" "two" {
  name       = "machines"
#              ^^^^^^^^^^ duplicate-name
  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:stop"]
}
