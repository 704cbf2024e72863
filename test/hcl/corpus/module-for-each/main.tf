locals {
  environments = {
    staging    = ["*"]
    production = ["get", "record/get"]
  }
}

module "dns" {
  source   = "./dns"
  for_each = local.environments
  zone     = "${each.key}.example.org"
  verbs    = each.value
}
