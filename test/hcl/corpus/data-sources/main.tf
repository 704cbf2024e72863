data "svc_me" "account" {}

data "svc_iam_policies" "all" {}

data "svc_me_identity_group" "admins" {
  name = "admins"
}

resource "svc_iam_policy" "admins" {
  name       = "admins"
  identities = [data.svc_me_identity_group.admins.urn]
  resources  = [data.svc_me.account.urn]
  allow      = ["account:apisvc:me/get"]
}
