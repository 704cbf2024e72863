resource "svc_iam_policy" "beta" {
  name       = "beta"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow = [
    # grantwise-ignore unknown-action: new in the beta, known from next month
    "vps:apisvc:brandNew",
    "vps:apisvc:brandNewToo", // grantwise-ignore unknown-action: the same
    "vps:apisvc:brandNewAsWell",
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-action
  ]
}
