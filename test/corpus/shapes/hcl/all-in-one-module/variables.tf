variable "permission_groups" {
  type    = list(any)
  default = []
}
variable "identity_groups" {
  type    = list(any)
  default = []
}
variable "resource_groups" {
  type    = list(any)
  default = []
}
