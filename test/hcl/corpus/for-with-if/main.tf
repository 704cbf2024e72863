variable "people" {
  default = [
    { login = "ann", team = "web", active = true },
    { login = "bob", team = "web", active = false },
    { login = "cat", team = "ops", active = true },
  ]
}

resource "svc_iam_policy" "web" {
  name       = "web"
  identities = [for person in var.people : "urn:v1:eu:identity:user:ab12-svc/${person.login}" if person.active && person.team == "web"]
  resources  = ["urn:v1:eu:resource:webHosting:*"]
  allow      = ["webHosting:apisvc:get"]
}
