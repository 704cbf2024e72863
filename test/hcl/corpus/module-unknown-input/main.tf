variable "deployer" {
  type = string
}

module "deploy" {
  source   = "./deploy"
  identity = "urn:v1:eu:identity:credential:ab12-svc/oauth2-${var.deployer}"
}
