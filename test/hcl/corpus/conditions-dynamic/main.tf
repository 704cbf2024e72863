locals {
  windows = {
    night = { operator = "MATCH", values = { "date(Europe/Paris).Hour.GE" = "22" } }
  }
}

resource "svc_iam_policy" "night" {
  name       = "night"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:reboot"]

  dynamic "conditions" {
    for_each = local.windows
    content {
      operator = conditions.value.operator
      values   = conditions.value.values
    }
  }
}
