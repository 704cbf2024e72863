resource "svc_iam_policy" "value" {
  name =
  allow = ["vps:apisvc:get"]
}
