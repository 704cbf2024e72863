variable "actions" { type = list(string) }

resource "svc_iam_policy" "this" {
  name       = "machines"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = var.actions
}
