resource "svc_iam_policy" "audit_2029" {
  name        = "audit-2029"
  description = "The auditors, in spring"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/auditors"]
  resources   = ["urn:v1:eu:resource:account:ab12-svc"]
  allow       = ["account:apisvc:me/bill/get", "account:apisvc:me/identity/*"]
  except      = ["account:apisvc:me/identity/user/create", "account:apisvc:me/identity/user/delete"]
  expired_at  = "2029-06-01T00:00:00Z"

  conditions {
    operator = "OR"
    condition {
      operator = "MATCH"
      values   = { "request.IP" = "203.0.113.5" }
    }
    condition {
      operator = "MATCH"
      values   = { "request.IP" = "203.0.113.6" }
    }
  }
}
