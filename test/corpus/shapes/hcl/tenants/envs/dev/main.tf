module "tenant" {
  source  = "../../modules/tenant"
  name    = "demo"
  env     = "dev"
  project = "0123456789abcdef0123456789abcdef"
}
