resource "svc_iam_policy" "typos" {
  name       = "typos"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  conditions {
    operator = "AND"
    condition {
      operator = "MATCH"
      values = {
        "request.ip" = "192.0.2.1"
#        ^^^^^^^^^^ condition-key
      }
    }
    condition {
      operator = "MATCH"
      values = {
        "date(Europe/Paris).WeekDay.IN" = "monday,tusday"
#                                                 ^^^^^^ condition-value
      }
    }
    condition {
      operator = "MACTH"
#                ^^^^^^^ condition-shape
      values   = { "resource.Name" = "vps-1" }
    }
  }
}
