variable "zones" {
  type = map(object({
    team    = string
    actions = optional(list(string), ["get", "record/get"])
  }))
  default = {
    "example.org" = { team = "web" }
    "example.net" = { team = "mail", actions = ["get", "record/*", "refresh"] }
  }
}

data "svc_me" "me" {}

resource "svc_iam_policy" "zone" {
  for_each = var.zones

  name       = "zone-${replace(each.key, ".", "-")}"
  identities = ["urn:v1:eu:identity:group:${data.svc_me.me.nichandle}/${each.value.team}"]
  resources  = ["urn:v1:eu:resource:dnsZone:${each.key}"]
  allow      = [for action in each.value.actions : "dnsZone:apisvc:${action}"]
}
