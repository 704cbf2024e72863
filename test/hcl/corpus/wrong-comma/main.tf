resource "svc_iam_policy" "comma" {
  name = "comma"
  allow = [
    "vps:apisvc:get"
    "vps:apisvc:stop"
#   ^ syntax
  ]
}
