resource "svc_iam_policy" "office" {
  name       = "office"
  identities = ["urn:v1:eu:identity:group:ab12-svc/support"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:reboot"]

  conditions {
    operator = "AND"

    condition {
      operator = "MATCH"
      values = {
        "resource.Tag(environment)" = "staging"
      }
    }

    condition {
      operator = "NOT"

      condition {
        operator = "MATCH"
        values = {
          "request.IP.IN_RANGE" = "198.51.100.0/24"
        }
      }
    }
  }
}
