resource "svc_iam_policy" "words" {
  name       = read only
#                   ^^^^ syntax
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
}
