resource "svc_iam_policy" "equals" {
  allow ["vps:apisvc:get"]
#       ^ syntax
}
