variable "name" { type = string }
variable "env" { type = string }
variable "project" { type = string }

data "svc_me" "me" {}

resource "svc_iam_policy" "tenant" {
  name        = "${var.name}-${var.env}"
  description = "Operators of ${var.name}"
  identities  = ["urn:v1:eu:identity:group:${data.svc_me.me.nichandle}/${var.name}-operators"]
  resources   = ["urn:v1:eu:resource:publicCloudProject:${var.project}"]
  allow = [
    "publicCloudProject:apisvc:get",
    "publicCloudProject:apisvc:instance/get",
    "publicCloudProject:apisvc:instance/reboot",
  ]
}
