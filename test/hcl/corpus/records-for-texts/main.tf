# As the API writes it.
resource "svc_iam_policy" "records" {
  name       = "records"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = [{ urn = "urn:v1:eu:resource:vps:vps-1" }]
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape
  allow      = [{ action = "vps:apisvc:get" }]
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape
}
