resource "svc_me_identity_user" "u" {
  login    = "u"
  email    = "u@example.org"
  password = "x"
}
resource "svc_iam_policy" "p" {
  name        = "p"
  description = "deny"
  identities  = [svc_me_identity_user.u.urn]
  resources   = ["urn:v1:eu:resource:vps:*"]
  deny        = ["vps:apisvc:reinstall"]
}
