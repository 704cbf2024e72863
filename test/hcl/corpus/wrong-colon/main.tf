resource "svc_iam_policy" "colon" {
  name: "colon"
#     ^ syntax
}
