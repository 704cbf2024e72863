resource "svc_iam_permissions_group" "dns_editor" {
  name        = "dns_editor"
  description = "Edit records"
  allow = [
    "dnsZone:apisvc:get",
    "dnsZone:apisvc:record/*",
    "dnsZone:apisvc:refresh",
  ]
}

resource "svc_me_identity_group" "web" {
  name = "web"
}

resource "svc_iam_policy" "web_dns" {
  name               = "web_dns"
  description        = "The web team edits records"
  identities         = [svc_me_identity_group.web.urn]
  resources          = ["urn:v1:eu:resource:dnsZone:example.org"]
  permissions_groups = [svc_iam_permissions_group.dns_editor.urn]
}
