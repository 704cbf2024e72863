# Of a list that is not known nobody says that it takes nothing away, nor what it takes.
variable "more" { type = list(string) }

resource "svc_iam_policy" "open" {
  name       = "open"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = concat(["vps:apisvc:get"], var.more)
  except     = ["dnsZone:apisvc:record/delete"]
}
