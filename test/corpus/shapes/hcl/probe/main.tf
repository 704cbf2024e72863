locals {
  name = "probe-storage-${var.run_id}"

  tenant_allow = [
    "publicCloudProject:apisvc:network/private/create",
    "publicCloudProject:apisvc:network/private/get",
    "publicCloudProject:apisvc:network/private/edit",
    "publicCloudProject:apisvc:network/private/delete",
    "publicCloudProject:apisvc:network/private/region/create",
    "publicCloudProject:apisvc:network/private/subnet/create",
    "publicCloudProject:apisvc:network/private/subnet/get",
    "publicCloudProject:apisvc:network/private/subnet/delete",
    "publicCloudProject:apisvc:region/storage/create",
    "publicCloudProject:apisvc:region/storage/get",
    "publicCloudProject:apisvc:region/storage/edit",
    "publicCloudProject:apisvc:region/storage/delete",
    "publicCloudProject:apisvc:region/storage/bulkDeleteObjects",
  ]
}

variable "run_id" { type = string }

data "svc_cloud_project" "sandbox" {
  service_name = "0123456789abcdef0123456789abcdef"
}

resource "svc_me_api_oauth2_client" "tenant" {
  name        = local.name
  description = "${local.name}: destroyed at the end of the run"
  flow        = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "tenant" {
  name        = local.name
  description = "${local.name}: no more than a tenant needs"
  identities  = [svc_me_api_oauth2_client.tenant.identity]
  resources   = [data.svc_cloud_project.sandbox.iam.urn]
  allow       = local.tenant_allow
}

resource "svc_iam_policy" "tagged" {
  name        = "probe-tagged-${var.run_id}"
  description = "Reads only what has the tag of tenant a"
  identities  = [svc_me_api_oauth2_client.tenant.identity]
  resources   = [data.svc_cloud_project.sandbox.iam.urn]
  allow       = ["publicCloudProject:apisvc:region/storage/get"]

  conditions {
    operator = "MATCH"
    values = {
      "resource.Tag(probe:tenant)" = "tenant-a"
    }
  }
}
