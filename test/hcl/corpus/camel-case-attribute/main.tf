resource "svc_iam_policy" "camel" {
  name              = "camel"
  identities        = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources         = ["urn:v1:eu:resource:vps:vps-1"]
  permissionsGroups = ["urn:v1:eu:permissionsGroup:svc:vpsAdmin"]
# ^^^^^^^^^^^^^^^^^ shape
  expiredAt         = "2030-01-01T00:00:00Z"
# ^^^^^^^^^ shape
}
