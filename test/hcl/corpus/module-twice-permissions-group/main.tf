module "a" {
  source = "./reader"
  type   = "vps"
}

module "b" {
  source = "./reader"
  type   = "dnsZone"
}

resource "svc_iam_policy" "auditors" {
  name               = "auditors"
  identities         = ["urn:v1:eu:identity:group:ab12-svc/audit"]
  resources          = ["urn:v1:eu:resource:vps:*", "urn:v1:eu:resource:dnsZone:*"]
  permissions_groups = [module.a.urn, module.b.urn]
}
