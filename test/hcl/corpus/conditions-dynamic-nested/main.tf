variable "networks" {
  type    = list(string)
  default = ["192.0.2.0/24", "198.51.100.0/24"]
}

resource "svc_iam_policy" "office" {
  name       = "office"
  identities = ["urn:v1:eu:identity:group:ab12-svc/office"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  conditions {
    operator = "OR"
    dynamic "condition" {
      for_each = var.networks
      iterator = network
      content {
        operator = "MATCH"
        values   = { "request.IP.IN_RANGE" = network.value }
      }
    }
  }
}
