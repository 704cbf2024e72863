variable "teams" {
  default = ["red", "blue"]
}

resource "svc_me_identity_group" "team" {
  count = length(var.teams)
  name  = var.teams[count.index]
}

resource "svc_iam_policy" "team" {
  count      = length(var.teams)
  name       = format("team-%s", var.teams[count.index])
  identities = [svc_me_identity_group.team[count.index].urn]
  resources  = ["urn:v1:eu:resource:webHosting:${var.teams[count.index]}.example.org"]
  allow      = ["webHosting:apisvc:get", "webHosting:apisvc:database/*", "webHosting:apisvc:cron/*"]
}
