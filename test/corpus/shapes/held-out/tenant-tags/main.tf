variable "tenant" { type = string }
resource "svc_me_identity_group" "t" { name = "t-${var.tenant}" }
resource "svc_iam_policy" "t" {
  name       = "t-${var.tenant}"
  identities = [svc_me_identity_group.t.urn]
  resources  = ["urn:v1:eu:resource:*"]
  allow      = ["publicCloudProject:apisvc:*", "dnsZone:apisvc:*"]
  conditions {
    operator = "MATCH"
    values   = { "resource.Tag(lz:tenant)" = var.tenant }
  }
}
