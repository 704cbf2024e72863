# A reference in quotes is a text.
resource "svc_iam_policy" "quoted" {
  name       = "quoted"
  identities = ["data.svc_me.account.urn"]
#                ^^^^^^^^^^^^^^^^^^^^^^^ identity-urn
  resources  = ["var.machine"]
#                ^^^^^^^^^^^ resource-urn
  allow      = ["vps:apisvc:get"]
}
