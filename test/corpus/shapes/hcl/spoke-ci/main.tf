data "svc_me" "me" {}

resource "svc_cloud_project" "spoke" {
  description = "payments-prod"
}

variable "ci_login" {
  description = "oauth2-EU.0123abcd of the pipeline"
  type        = string
}

resource "svc_iam_policy" "payments_ci" {
  name        = "payments-prod-ci"
  description = "Pipeline — compute only"
  identities = [
    "urn:v1:eu:identity:credential:${data.svc_me.me.nichandle}/${var.ci_login}",
  ]
  resources = [
    "urn:v1:eu:resource:publicCloudProject:${svc_cloud_project.spoke.project_id}",
  ]
  allow = ["publicCloudProject:openstack:computeOperator"]
}
