resource "svc_iam_policy" "admin" {
  name               = "admin"
  identities         = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources          = ["urn:v1:eu:resource:vps:vps-1"]
  permissions_groups = ["urn:v1:eu:permissionsGroup:svc:vpsAdmin"]
}
