variable "tags" {
  type = map(string)
}

resource "svc_iam_policy" "tagged" {
  name       = "tagged"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  dynamic "conditions" {
    for_each = length(var.tags) > 0 ? [var.tags] : []
    content {
      operator = "MATCH"
      values   = { for key, value in conditions.value : "resource.Tag(${key})" => value }
    }
  }
}
