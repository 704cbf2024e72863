module "web" {
  source = "./modules/team"
  name   = "web"
  zones  = ["example.org", "example.net"]
}
