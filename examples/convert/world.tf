resource "svc_iam_policy" "readers" {
  name               = "readers"
  identities         = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources          = ["urn:v1:eu:resource:vps:*"]
  permissions_groups = [svc_iam_permissions_group.look.urn]
}

resource "svc_iam_permissions_group" "look" {
  name  = "look"
  allow = ["vps:apisvc:get"]
}
