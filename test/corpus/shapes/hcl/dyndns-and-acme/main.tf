variable "zones" { default = ["example.org", "example.net"] }

resource "svc_me_api_oauth2_client" "dns" {
  for_each    = toset(["acme", "dyndns"])
  name        = each.key
  description = "DNS: ${each.key}"
  flow        = "CLIENT_CREDENTIALS"
}

locals {
  actions = {
    acme   = ["record/create", "record/delete", "record/get", "refresh"]
    dyndns = ["dynHost/record/get", "dynHost/record/edit", "refresh"]
  }
}

resource "svc_iam_policy" "dns" {
  for_each    = local.actions
  name        = "dns-${each.key}"
  description = "What ${each.key} calls"
  identities  = [svc_me_api_oauth2_client.dns[each.key].identity]
  resources   = formatlist("urn:v1:eu:resource:dnsZone:%s", var.zones)
  allow       = [for path in each.value : "dnsZone:apisvc:${path}"]
}
