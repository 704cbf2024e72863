variable "enable_backup_access" {
  type    = bool
  default = true
}

resource "svc_me_api_oauth2_client" "backup" {
  count = var.enable_backup_access ? 1 : 0
  name  = "backup"
  flow  = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "backup" {
  count      = var.enable_backup_access ? 1 : 0
  name       = "backup"
  identities = [svc_me_api_oauth2_client.backup[0].identity]
  resources  = ["urn:v1:eu:resource:publicCloudProject:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"]
  allow = [
    "publicCloudProject:apisvc:instance/get",
    "publicCloudProject:apisvc:instance/snapshot",
    "publicCloudProject:apisvc:volume/get",
    "publicCloudProject:apisvc:volume/snapshot/create",
  ]
}
