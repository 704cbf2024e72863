variable "logins" {
  type    = list(string)
  default = ["ann", "bob"]
}

resource "svc_iam_policy" "reader" {
  count      = length(var.logins)
  name       = "reader-${var.logins[count.index]}"
  identities = [format("urn:v1:eu:identity:user:ab12-svc/%s", element(var.logins, count.index))]
  resources  = ["urn:v1:eu:resource:dnsZone:example.org"]
  allow      = ["dnsZone:apisvc:get", "dnsZone:apisvc:record/get"]
}
