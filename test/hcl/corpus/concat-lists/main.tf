variable "extra" {
  type    = list(string)
  default = []
}

variable "guests" {
  type = list(string)
}

locals {
  read  = ["vps:apisvc:get", "vps:apisvc:ips/get"]
  write = ["vps:apisvc:reboot"]
}

resource "svc_iam_policy" "machines" {
  name       = "machines"
  identities = concat(["urn:v1:eu:identity:user:ab12-svc/ann"], var.guests)
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = concat(local.read, local.write, var.extra)
}
