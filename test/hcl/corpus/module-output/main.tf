module "names" {
  source = "./names"
}

resource "svc_iam_policy" "deploy" {
  name       = "deploy"
  identities = [module.names.deployer]
  resources  = module.names.machines
  allow      = ["vps:apisvc:reinstall"]
}
