variable "efs" { type = list(string) }
resource "svc_me_api_oauth2_client" "csi" {
  name = "csi"
  flow = "CLIENT_CREDENTIALS"
}
resource "svc_iam_policy" "csi" {
  name       = "csi"
  identities = [svc_me_api_oauth2_client.csi.identity]
  resources  = [for id in var.efs : "urn:v1:eu:resource:storageNetApp:${id}"]
  allow      = [for a in ["get", "share/get", "share/create", "share/acl/create"] : "storageNetApp:apisvc:${a}"]
}
