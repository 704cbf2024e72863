variable "machine" {
  type    = string
  default = "vps-1"
}

variable "group" {
  type = string
}

variable "actions" {
  type = list(string)
}

resource "svc_iam_policy" "values" {
  name       = "values"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${var.group}"]
  resources  = ["urn:v1:eu:resource:vps:${var.machine}"]
  allow      = var.actions
}
