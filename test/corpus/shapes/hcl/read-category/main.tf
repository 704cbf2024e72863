# All actions of one category, as the provider lists them.
resource "svc_iam_permissions_group" "read_vps" {
  name        = "read_vps"
  description = "Read access to vps"

  allow = [
    for act in data.svc_iam_reference_actions.vps.actions : act.action if(contains(act.categories, "READ"))
  ]
}

data "svc_iam_reference_actions" "vps" {
  type = "vps"
}
