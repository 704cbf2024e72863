# The groups that may sign in to the control panel at all.
data "svc_me" "account" {}

resource "svc_me_identity_group" "staff" {
  name        = "staff"
  description = "Everybody with a desk"
}

resource "svc_iam_policy" "sign_in" {
  name        = "sign-in"
  description = "What the control panel needs before it shows anything"
  identities  = [svc_me_identity_group.staff.urn]
  resources   = [data.svc_me.account.urn]
  allow = [
    "account:apisvc:me/get",
    "account:apisvc:me/supportLevel/get",
    "account:apisvc:me/certificates/get",
    "account:apisvc:me/tag/get",
    "account:apisvc:services/get",
  ]
}
