variable "account" { type = string }
variable "name" { type = string }

module "readers" {
  source     = "../policy"
  name       = "${var.name} readers"
  identities = ["urn:v1:eu:identity:group:${var.account}/${var.name}-readers"]
  verbs      = ["get"]
}

module "writers" {
  source     = "../policy"
  name       = "${var.name} writers"
  identities = ["urn:v1:eu:identity:group:${var.account}/${var.name}-writers"]
  verbs      = ["get", "edit"]
}
