data "svc_me" "me" {}
resource "svc_iam_policy" "guard" {
  name       = "guard"
  identities = ["urn:v1:eu:identity:group:${data.svc_me.me.nichandle}/tenants"]
  resources  = [data.svc_me.me.urn]
  deny       = ["account:apisvc:iam/*", "account:apisvc:me/api/oauth2/client/*"]
}
