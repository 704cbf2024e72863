locals {
  base  = { web = ["get"], ops = ["get", "stop"] }
  extra = { ops = ["*"] }
}

resource "svc_iam_policy" "merged" {
  for_each   = merge(local.base, local.extra, { night = ["reboot"] })
  name       = "merged ${each.key}"
  identities = ["urn:v1:eu:identity:group:ab12-svc/${each.key}"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = formatlist("vps:apisvc:%s", each.value)
}
