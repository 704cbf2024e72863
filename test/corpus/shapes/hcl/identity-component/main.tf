locals {
  tenant_allow = [
    "publicCloudProject:apisvc:network/private/get",
    "publicCloudProject:apisvc:region/storage/get",
    "publicCloudProject:apisvc:region/storage/edit",
  ]
}

resource "svc_me_api_oauth2_client" "deployer" {
  for_each    = var.tenants
  name        = "deployer-${each.key}"
  description = "Deploys ${each.key}"
  flow        = "CLIENT_CREDENTIALS"
}

resource "svc_me_identity_group" "tenant" {
  for_each = var.tenants
  name     = "tenant-${each.key}"
  role     = "NONE"
}

module "deployer_policy" {
  source   = "./policy"
  for_each = var.tenants

  name        = "pol-${each.key}"
  description = "Deployer of ${each.key}"
  identities  = [svc_me_api_oauth2_client.deployer[each.key].identity]
  resources   = [each.value.project_urn]
  allow       = local.tenant_allow
}
