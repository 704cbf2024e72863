########################################################################
# Policies of the spoke `payments-prod`. The identities exist already.
########################################################################
data "svc_me" "me" {}

resource "svc_cloud_project" "spoke" {
  description = "payments-prod"
}

resource "svc_iam_policy" "payments_compute" {
  name        = "payments-prod-compute"
  description = "Payments team — compute only"
  identities = [
    "urn:v1:eu:identity:user:${data.svc_me.me.nichandle}/dora.moreau",
    # Format: "urn:v1:eu:identity:user:${data.svc_me.me.nichandle}/<login>"
  ]
  resources = [
    "urn:v1:eu:resource:publicCloudProject:${svc_cloud_project.spoke.project_id}",
  ]
  allow = ["publicCloudProject:openstack:compute:*"]
}
