data "svc_me" "account" {}

variable "region" {
  type    = string
  default = "eu"
}

resource "svc_iam_policy" "project" {
  name = "project"
  identities = [
    "urn:v1:${var.region}:identity:user:${data.svc_me.account.nichandle}/ann",
  ]
  resources = ["urn:v1:${var.region}:resource:publicCloudProject:${svc_cloud_project.main.project_id}"]
  allow     = ["publicCloudProject:apisvc:get"]
}
