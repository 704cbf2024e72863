resource "svc_iam_policy" "quotes" {
  name = 'quotes'
#        ^ syntax
}
