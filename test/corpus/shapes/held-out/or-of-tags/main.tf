resource "svc_iam_policy" "p" {
  name       = "p"
  identities = ["urn:v1:eu:identity:user:ab12-svc/u"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:*"]
  conditions {
    operator = "OR"
    condition {
      operator = "MATCH"
      values   = { "resource.Tag(environment)" = "production" }
    }
    condition {
      operator = "MATCH"
      values   = { "resource.Tag(team)" = "platform" }
    }
  }
}
