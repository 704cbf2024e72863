variable "workspace_id" { type = string }
variable "editor_urns" { type = list(string) }
variable "reader_urns" { type = list(string) }

resource "svc_cloud_project" "cloud_project" {
  description = var.workspace_id
}

resource "svc_iam_policy" "editor" {
  for_each    = length(var.editor_urns) > 0 ? { "editor" = true } : {}
  name        = "${var.workspace_id}-editor"
  description = "Edit what runs in ${var.workspace_id}"
  identities  = var.editor_urns
  resources   = [svc_cloud_project.cloud_project.urn]
  allow = [
    "publicCloudProject:apisvc:containerRegistry/*",
    "publicCloudProject:apisvc:dataProcessing/notebooks/*",
    "publicCloudProject:apisvc:dataProcessing/jobs/*",
    "publicCloudProject:apisvc:rancher/*",
    "publicCloudProject:apisvc:kubernetes/*",
    "publicCloudProject:apisvc:instance/*",
    "publicCloudProject:apisvc:storage/*"
  ]
}

resource "svc_iam_policy" "reader" {
  for_each    = length(var.reader_urns) > 0 ? { "reader" = true } : {}
  name        = "${var.workspace_id}-reader"
  description = "See what runs in ${var.workspace_id}"
  identities  = var.reader_urns
  resources   = [svc_cloud_project.cloud_project.urn]
  allow = [
    "publicCloudProject:apisvc:containerRegistry/get",
    "publicCloudProject:apisvc:rancher/get",
    "publicCloudProject:apisvc:kube/get",
    "publicCloudProject:apisvc:instance/get",
    "publicCloudProject:apisvc:storage/get"
  ]
}
