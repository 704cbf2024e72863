variable "office_hours" {
  default = false
}

resource "svc_iam_policy" "always" {
  name       = "always"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  dynamic "conditions" {
    for_each = var.office_hours ? [1] : []
    content {
      operator = "MATCH"
      values   = { "date(Europe/Paris).Hour.LT" = "18" }
    }
  }
}
