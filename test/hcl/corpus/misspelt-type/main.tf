# No provider has it; Terraform says so only when it is run.
resource "svc_iam_polcy" "readers" {
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape
  name       = "readers"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
}

resource "svc_iam_resource_tags" "other" {
  urn  = "urn:v1:eu:resource:vps:vps-1"
  tags = { environment = "staging" }
}
