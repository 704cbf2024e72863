resource "svc_iam_policy" "sets" {
  name       = "sets"
  identities = toset(["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:user:ab12-svc/ann"])
  resources  = distinct(["urn:v1:eu:resource:vps:vps-1", "urn:v1:eu:resource:vps:vps-1"])
  allow      = setunion(["vps:apisvc:get"], ["vps:apisvc:stop", "vps:apisvc:get"])
  deny       = setsubtract(["vps:apisvc:terminate", "vps:apisvc:rebuild"], ["vps:apisvc:rebuild"])
}
