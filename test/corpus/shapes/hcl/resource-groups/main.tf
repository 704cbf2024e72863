resource "svc_iam_resource_group" "shop" {
  name = "shop"
  resources = [
    "urn:v1:eu:resource:webHosting:shop.example.org",
    "urn:v1:eu:resource:dnsZone:example.org",
    "urn:v1:eu:resource:domain:example.org",
  ]
}

resource "svc_me_identity_user" "kim" {
  login       = "kim"
  email       = "kim@example.org"
  description = "Kim"
  group       = "UNPRIVILEGED"
  password    = var.initial_password
}

variable "initial_password" {
  type      = string
  sensitive = true
}

resource "svc_iam_policy" "shop" {
  name        = "shop"
  description = "Kim runs the shop"
  identities  = [svc_me_identity_user.kim.urn]
  resources   = [svc_iam_resource_group.shop.urn]
  allow = [
    "webHosting:apisvc:*",
    "dnsZone:apisvc:*",
    "domain:apisvc:get",
  ]
  except = [
    "webHosting:apisvc:terminate",
    "webHosting:apisvc:confirmTermination",
    "dnsZone:apisvc:terminate",
    "dnsZone:apisvc:confirmTermination",
  ]
}
