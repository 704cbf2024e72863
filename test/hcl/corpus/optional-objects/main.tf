# Objects of which parts are left out.
variable "identity_groups" {
  type = list(object({
    name      = string
    allow     = optional(list(string), [])
    deny      = optional(list(string))
    resources = list(string)
  }))
  default = [
    { name = "web", allow = ["webHosting:apisvc:get"], resources = ["urn:v1:eu:resource:webHosting:*"] },
    { name = "freeze", deny = ["webHosting:apisvc:terminate"], resources = ["urn:v1:eu:resource:webHosting:*"] },
  ]
}

resource "svc_iam_policy" "group" {
  for_each    = { for group in var.identity_groups : group.name => group }
  name        = lookup(each.value, "name")
  identities  = ["urn:v1:eu:identity:group:ab12-svc/${each.key}"]
  resources   = each.value.resources
  description = lookup(each.value, "description", null)
  allow       = each.value.allow
  deny        = each.value.deny
}
