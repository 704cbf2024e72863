module "team" {
  source = "./team"
}
