variable "office" {
  default = ["192.0.2.0/24"]
}

variable "environment" {
  type = string
}

locals {
  common = {
    "resource.Tag(owner)" = "web"
  }
}

resource "svc_iam_policy" "tagged" {
  name       = "tagged"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]

  conditions {
    operator = "MATCH"
    values = merge(local.common, {
      "resource.Tag(environment)" = var.environment
      "request.IP.IN_RANGE"       = var.office[0]
    })
  }
}
