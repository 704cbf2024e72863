# Lists kept as lines, one entry a line.
locals {
  actions = compact(split("\n", <<-EOT
    vps:apisvc:get
    vps:apisvc:reboot

    vps:apisvc:ips/get
  EOT
  ))
}

resource "svc_iam_policy" "lines" {
  name       = "lines"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = local.actions
}
