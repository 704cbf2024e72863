resource "svc_iam_policy" "readers" {
  name = "readers"
  identities = ["urn:v1:eu:identity:group:ab12-svc/web"] # the web team
  resources = ["urn:v1:eu:resource:webHosting:*"]
  allow = [
  "webHosting:apisvc:get",
  ]
}
