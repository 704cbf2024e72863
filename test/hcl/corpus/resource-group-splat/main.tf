resource "svc_iam_resource_group" "part" {
  count     = 2
  name      = "part ${count.index}"
  resources = ["urn:v1:eu:resource:vps:vps-${count.index}"]
}

resource "svc_iam_policy" "parts" {
  name       = "parts"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = svc_iam_resource_group.part[*].urn
  allow      = ["vps:apisvc:get"]
}
