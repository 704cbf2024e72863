variable "name" {}
variable "description" { default = null }
variable "identities" { type = list(string) }
variable "resources" { type = list(string) }
variable "allow" { default = null }
variable "except" { default = null }
variable "deny" { default = null }
