# Tags that the same configuration gives to resources.
resource "svc_iam_resource_tags" "web" {
  urn  = "urn:v1:eu:resource:webHosting:example.org"
  tags = { env = "dev" }
}

resource "svc_iam_resource_tags" "shop" {
  urn  = "urn:v1:eu:resource:webHosting:shop.example.org"
  tags = { env = "prod" }
}

resource "svc_iam_policy" "dev" {
  name       = "dev"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:webHosting:*"]
  allow      = ["webHosting:apisvc:get"]
  conditions {
    operator = "MATCH"
    values   = { "resource.Tag(env)" = "dev" }
  }
}
