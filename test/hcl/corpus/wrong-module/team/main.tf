resource "svc_iam_policy" "this" {
  name = "this"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann",, "x"]
#                                                      ^ syntax
}
