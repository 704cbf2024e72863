# The v2 call itself, where the resource of the provider was too old.
resource "null_resource" "policy" {
  provisioner "local-exec" {
    command = "svccloud iam policy create --from-file policy.json"
  }
}

resource "local_file" "policy" {
  filename = "policy.json"
  content = jsonencode({
    name       = "vps-reboot"
    identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources  = [{ urn = "urn:v1:eu:resource:vps:vps-1" }]
    permissions = {
      allow = [{ action = "vps:apisvc:reboot" }]
    }
  })
}

resource "svc_iam_policy" "vps_read" {
  name        = "vps-read"
  description = <<-EOT
    Read servers.
    Asked for in the ticket of May.
  EOT
  identities  = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources   = ["urn:v1:eu:resource:vps:vps-1"]
  allow       = split("\n", trimspace(<<-EOT
    vps:apisvc:get
    vps:apisvc:ips/get
  EOT
  ))
}
