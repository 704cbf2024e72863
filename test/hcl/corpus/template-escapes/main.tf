# `$${` and `%%{` are letters; so is what a backslash makes.
resource "svc_iam_policy" "letters" {
  name        = "letters"
  description = "costs $${a} and %%{b}, \"quoted\", tab\there, caf\u00e9 \U0001F680"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/caf\u00e9"]
  resources   = ["urn:v1:eu:resource:vps:vps-1"]
  allow       = ["vps:apisvc:get", "vps:apisvc:ge\u0074t"]
#                                  ^^^^^^^^^^^^^^^^^^^^^^ unknown-action
}
