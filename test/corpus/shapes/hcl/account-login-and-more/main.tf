data "svc_me" "account" {}

resource "svc_me_identity_group" "office" {
  name = "office"
}

resource "svc_iam_policy" "panel" {
  name        = "office_panel"
  description = "Office may use the panel"
  identities  = [svc_me_identity_group.office.urn]
  resources   = [data.svc_me.account.urn]
  # all there is
  allow = [
    "account:apisvc:me/get",
    "account:apisvc:me/tag/get",
    "account:apisvc:*",
  ]
}
