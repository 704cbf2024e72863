// resource "svc_iam_policy" "not_there" { allow = ["*"] }
/* Another one that is not there:
resource "svc_iam_policy" "neither" {
  name = "} \" unclosed
}
*/
resource "svc_iam_policy" /* of Ann */ "ann" { # and here
  name       = "ann" // # not "nested"
  identities = [/* nobody else */ "urn:v1:eu:identity:user:ab12-svc/ann"] # /* not begun
  resources = [
    # "urn:v1:eu:resource:vps:vps-0",
    "urn:v1:eu:resource:vps:vps-1", // the first
    /* "urn:v1:eu:resource:vps:vps-2", */
  ]
  allow = ["vps:apisvc:get", /* "*", */ "vps:apisvc://get"]
#                                                   ^ action-pattern
}
