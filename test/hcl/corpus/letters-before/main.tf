resource "svc_iam_policy" "équipe" {
  name       = "Équipe d’exploitation"
  identities = ["urn:v1:eu:identity:group:ab12-svc/équipe"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = [/* é 漢字 */ "vps:apisvc:get", "vps:apisvc:reinstal"]
#                                            ^^^^^^^^^^^^^^^^^^^^^ unknown-action
}
