variable "teams" {
  type = map(object({
    group    = string
    machines = list(string)
  }))
}

resource "svc_iam_policy" "team" {
  for_each    = var.teams
  name        = "team-${each.key}"
  identities  = [each.value.group]
  resources   = [for machine in each.value.machines : "urn:v1:eu:resource:vps:${machine}"]
  allow       = ["vps:apisvc:get", "vps:apisvc:reboot"]
}
