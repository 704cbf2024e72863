resource "svc_iam_policy" "open" {
  name       = "open
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
}
