variable "account" {
  default = "ab12-svc"
}

module "shop" {
  source  = "./modules/product"
  account = var.account
  name    = "shop"
}
