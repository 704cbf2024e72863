resource "svc_iam_resource_group" "shop" {
  name = "shop"
  resources = [
    "urn:v1:eu:resource:vps:vps-1",
    "urn:v1:eu:resource:vps:vps-2",
  ]
}

resource "svc_iam_permissions_group" "restart" {
  name        = "restart"
  description = "Stop, start and reboot"
  allow       = ["vps:apisvc:reboot", "vps:apisvc:start", "vps:apisvc:stop"]
}

resource "svc_iam_policy" "night_shift" {
  name               = "night shift"
  identities         = ["urn:v1:eu:identity:group:ab12-svc/night"]
  resources          = [svc_iam_resource_group.shop.urn]
  permissions_groups = [svc_iam_permissions_group.restart.urn]
}
