resource "svc_iam_resource_group" "shop" {
  name = "shop"
  resources = [
    "urn:v1:eu:resource:vps:vps-1",
    svc_vps.second.urn,
  ]
}

resource "svc_iam_policy" "shop" {
  name       = "shop"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = [svc_iam_resource_group.shop.urn]
  allow      = ["vps:apisvc:get"]
}
