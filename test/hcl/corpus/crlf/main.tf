resource "svc_iam_policy" "windows" {
  name        = "windows"
  description = <<-EOT
    Lines that end as on Windows
  EOT
  identities  = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources = [
    "urn:v1:eu:resource:vps:vps-1",
    "urn:v1:eu:resource:vsp:vps-1",
#                       ^^^ unknown-type
  ]
  allow = ["vps:apisvc:get"]
}
