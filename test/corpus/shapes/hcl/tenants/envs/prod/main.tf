module "tenant" {
  source  = "../../modules/tenant"
  name    = "demo"
  env     = "prod"
  project = "fedcba9876543210fedcba9876543210"
}
