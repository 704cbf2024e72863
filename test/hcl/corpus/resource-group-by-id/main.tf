# The id within a URN that is put together by hand.
resource "svc_iam_resource_group" "shop" {
  name      = "shop"
  resources = ["urn:v1:eu:resource:vps:vps-1"]
}

resource "svc_iam_policy" "shop" {
  name       = "shop"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resourceGroup:${svc_iam_resource_group.shop.id}"]
  allow      = ["vps:apisvc:get"]
}
