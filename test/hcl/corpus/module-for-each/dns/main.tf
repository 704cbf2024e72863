variable "zone" { type = string }
variable "verbs" { type = list(string) }

resource "svc_iam_policy" "dns" {
  name       = "dns ${var.zone}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/dev"]
  resources  = ["urn:v1:eu:resource:dnsZone:${var.zone}"]
  allow      = [for verb in var.verbs : "dnsZone:apisvc:${verb}"]
}
