module "web" {
  source = "./team"
  group  = "web"
  vps    = "vps-1"
}

module "ops" {
  source = "./team"
  group  = "ops"
  vps    = "vps-2"
}
