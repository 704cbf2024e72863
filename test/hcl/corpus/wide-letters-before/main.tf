# Letters of two units each, and one that is made of several, before the place on the same line.
resource "svc_iam_policy" "rocket" {
  name       = "rocket 🚀"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = [/* 🚀🚀 👩🏽 */ "vps:apisvc:get", "vps:apisvc:reinstal"]
#                                                 ^^^^^^^^^^^^^^^^^^^^^ unknown-action
  deny       = [for emoji, verb in { "🚀" = "terminat" } : "vps:apisvc:${verb}"]
#                                                          ^^^^^^^^^^^^^^^^^^^^ unknown-protected-action
}
