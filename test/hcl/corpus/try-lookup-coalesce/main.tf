variable "settings" {
  type = object({
    group   = optional(string)
    machine = optional(string, "vps-1")
    verbs   = optional(list(string), ["get"])
  })
  default = {}
}

locals {
  extra = { stop = "vps:apisvc:stop" }
}

resource "svc_iam_policy" "careful" {
  name       = coalesce(var.settings.group, "nobody in particular")
  identities = ["urn:v1:eu:identity:group:ab12-svc/${coalesce(var.settings.group, "all")}"]
  resources  = ["urn:v1:eu:resource:vps:${var.settings.machine}"]
  allow = concat(
    [for verb in var.settings.verbs : "vps:apisvc:${verb}"],
    [lookup(local.extra, "stop", ""), try(local.extra.start, "vps:apisvc:start")],
  )
}
