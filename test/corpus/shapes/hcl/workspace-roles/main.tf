locals {
  processed_users = {
    for user in var.users : user.email => {
      login = replace(user.email, "@", "_at_")
      email = user.email
      roles = user.roles
    }
  }

  admin_urns = [
    for email, user in local.processed_users :
    "urn:v1:eu:identity:user:${var.account_id}/provider/${user.email}"
    if contains(user.roles, "admin")
  ]
  user_urns = [
    for email, user in local.processed_users :
    "urn:v1:eu:identity:user:${var.account_id}/provider/${user.email}"
    if contains(user.roles, "user")
  ]
  reader_urns = [
    for email, user in local.processed_users :
    "urn:v1:eu:identity:user:${var.account_id}/provider/${user.email}"
    if contains(user.roles, "reader")
  ]
}

data "svc_me" "myaccount" {}

resource "svc_cloud_project" "cloud_project" {
  svc_subsidiary = data.svc_me.myaccount.svc_subsidiary
  description    = "${var.workspace_id}-${var.project_id}"
}

# Admin: full access
resource "svc_iam_policy" "admin" {
  for_each    = length(local.admin_urns) > 0 ? { "admin" = true } : {}
  name        = "${var.workspace_id}-${var.project_id}-admin"
  description = "Full access for ${var.workspace_id}-${var.project_id}"
  identities  = local.admin_urns
  resources   = [svc_cloud_project.cloud_project.urn]

  allow = ["publicCloudProject:apisvc:*"]
}

resource "svc_iam_policy" "user" {
  for_each    = length(local.user_urns) > 0 ? { "user" = true } : {}
  name        = "${var.workspace_id}-${var.project_id}-user"
  description = "Operate ${var.workspace_id}-${var.project_id}"
  identities  = local.user_urns
  resources   = [svc_cloud_project.cloud_project.urn]

  allow = ["publicCloudProject:apisvc:*"]

  # what is risky
  except = [
    "publicCloudProject:apisvc:*/delete",
    "publicCloudProject:apisvc:*/edit",
    "publicCloudProject:apisvc:*iam/*",
    "publicCloudProject:apisvc:user/*",
    "publicCloudProject:apisvc:*role/*",
    "publicCloudProject:apisvc:*confirmTermination",
    "publicCloudProject:apisvc:*terminate",

    # of object storage, one by one
    "publicCloudProject:apisvc:storage/delete",
    "publicCloudProject:apisvc:region/storage/delete",
    "publicCloudProject:apisvc:region/storage/object/delete",
    "publicCloudProject:apisvc:region/storage/object/version/delete",
    "publicCloudProject:apisvc:region/storage/bulkDeleteObjects",

    "publicCloudProject:openstack:*"
  ]

  deny = [
    "publicCloudProject:apisvc:*/delete",
    "publicCloudProject:openstack:*"
  ]
}

resource "svc_iam_policy" "reader" {
  for_each    = length(local.reader_urns) > 0 ? { "reader" = true } : {}
  name        = "${var.workspace_id}-${var.project_id}-reader"
  description = "Read ${var.workspace_id}-${var.project_id}"
  identities  = local.reader_urns
  resources   = [svc_cloud_project.cloud_project.urn]

  allow = [
    "publicCloudProject:apisvc:get",
    "publicCloudProject:apisvc:*:get"
  ]
}
