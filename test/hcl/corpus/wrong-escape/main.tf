resource "svc_iam_policy" "escape" {
  name = "C:\data"
#           ^^ syntax
}
