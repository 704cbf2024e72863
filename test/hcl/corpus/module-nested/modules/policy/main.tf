variable "name" { type = string }
variable "identities" { type = set(string) }
variable "verbs" { type = set(string) }

resource "svc_iam_policy" "this" {
  name       = var.name
  identities = var.identities
  resources  = ["urn:v1:eu:resource:webHosting:shop.example.org"]
  allow      = [for verb in var.verbs : "webHosting:apisvc:${verb}"]
}
