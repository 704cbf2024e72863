variable "region" {
  default = "*"
}

resource "svc_iam_policy" "everything" {
  name       = "everything"
  identities = ["*"]
#                ^ identity-urn
  resources  = ["*", "urn:v1:${var.region}:resource:vps:vps-1"]
#                ^ resource-urn
#                            ^^^^^^^^^^^^^ resource-urn
  allow      = ["vps:apisvc:get"]
}
