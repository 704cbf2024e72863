resource "svc_iam_policy" "no_prod" {
  name        = "no-prod"
  description = "Keep away from what is tagged prod"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/interns"]
  resources   = ["urn:v1:eu:resource:vps:*", "urn:v1:eu:resource:webHosting:*"]
  deny        = ["vps:apisvc:*", "webHosting:apisvc:*"]
  conditions {
    operator = "MATCH"
    values   = { "resource.Tag(env)" = "prod" }
  }
}

resource "svc_iam_policy" "interns" {
  name        = "interns"
  description = "Look and reboot"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/interns"]
  resources   = ["urn:v1:eu:resource:vps:*", "urn:v1:eu:resource:webHosting:*"]
  allow       = ["vps:apisvc:get", "vps:apisvc:reboot", "webHosting:apisvc:get"]
}
