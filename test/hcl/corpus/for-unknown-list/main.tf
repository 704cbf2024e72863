variable "logins" {
  type = set(string)
}

resource "svc_iam_policy" "people" {
  name       = "people"
  identities = [for login in var.logins : "urn:v1:eu:identity:user:ab12-svc/${login}"]
  resources  = ["urn:v1:eu:resource:webHosting:*"]
  allow      = ["webHosting:apisvc:get"]
}
