resource "svc_iam_permissions_group" "this" {
  for_each    = { for group in var.permission_groups : group.name => group }
  description = each.value.description
  name        = each.value.name
  allow       = each.value.allow
  except      = each.value.except
  deny        = each.value.deny
}

resource "svc_iam_policy" "this" {
  for_each           = { for group in var.identity_groups : group.name => group if contains(keys(group), "policies") && group.policies != null }
  identities         = [svc_me_identity_group.this[each.key].urn]
  name               = lookup(each.value, "name")
  resources          = lookup(each.value, "resources")
  description        = lookup(each.value, "description")
  allow              = lookup(each.value, "allow")
  except             = lookup(each.value, "except")
  deny               = lookup(each.value, "deny")
  permissions_groups = [for group in svc_iam_permissions_group.this : group.id if var.permission_groups != null]
}

resource "svc_iam_resource_group" "this" {
  for_each  = { for group in var.resource_groups : group.name => group }
  name      = each.value.name
  resources = each.value.resources
}

resource "svc_me_identity_group" "this" {
  for_each    = { for group in var.identity_groups : group.name => group }
  name        = each.value.name
  description = each.value.description
  role        = each.value.role
}
