variable "env" {
  default = "production"
}

resource "svc_iam_policy" "directives" {
  name       = "web%{ if var.env == "production" } of customers%{ else } of ${var.env}%{ endif }"
  identities = ["urn:v1:eu:identity:group:ab12-svc/%{ for part in ["web", "dev"] }${part}-%{ endfor }team"]
  resources  = ["urn:v1:eu:resource:webHosting:%{ if var.env == "production" }www%{ else }test%{ endif }.example.org"]
  allow      = ["webHosting:apisvc:get"]
}
