# One policy of which every part is written.
resource "svc_iam_policy" "web_readers" {
  name        = "web readers"
  description = "Support looks at websites"
  identities  = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources   = ["urn:v1:eu:resource:webHosting:example.org"]
  allow = [
    "webHosting:apisvc:get",
    "webHosting:apisvc:user/get",
  ]
}
