resource "svc_iam_policy" "text" {
  name       = "text"
  identities = "urn:v1:eu:identity:user:ab12-svc/ann"
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get", ["vps:apisvc:stop"]]
#                                 ^^^^^^^^^^^^^^^^^^^ shape
}
