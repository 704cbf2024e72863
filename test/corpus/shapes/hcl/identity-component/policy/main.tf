variable "name" { type = string }
variable "description" { type = string }
variable "identities" { type = set(string) }
variable "resources" { type = set(string) }
variable "allow" { type = set(string) }

resource "svc_iam_policy" "this" {
  name        = var.name
  description = var.description
  identities  = var.identities
  resources   = var.resources
  allow       = var.allow
}
