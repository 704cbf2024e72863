# A block, not an attribute: Terraform refuses it.
resource "svc_iam_policy" "attribute" {
  name       = "attribute"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  conditions = {
# ^^^^^^^^^^ shape
    operator = "MATCH"
    values   = { "resource.Name" = "vps-1" }
  }
}
