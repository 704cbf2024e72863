variable "name" {
  type = string
}

variable "zones" {
  type = list(string)
}

variable "verbs" {
  type    = list(string)
  default = ["get", "record/*"]
}

resource "svc_iam_policy" "this" {
  name       = "dns of ${var.name}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${var.name}"]
  resources  = formatlist("urn:v1:eu:resource:dnsZone:%s", var.zones)
  allow      = formatlist("dnsZone:apisvc:%s", var.verbs)
}
