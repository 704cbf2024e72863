resource "svc_iam_policy" "open" {
  name       = "open ${var.a"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
}
