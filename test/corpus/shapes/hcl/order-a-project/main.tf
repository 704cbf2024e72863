data "svc_me" "account" {}

resource "svc_me_api_oauth2_client" "iac" {
  name = "iac"
  flow = "CLIENT_CREDENTIALS"
}

resource "local_sensitive_file" "provider" {
  filename = "../infra/provider_svc.tf"
  content  = <<EOF
provider "svc" {
  endpoint      = "svc-eu"
  client_id     = "${svc_me_api_oauth2_client.iac.client_id}"
  client_secret = "${svc_me_api_oauth2_client.iac.client_secret}"
}
  EOF
}

resource "svc_iam_policy" "iac" {
  name       = "iac"
  identities = [svc_me_api_oauth2_client.iac.identity]
  resources  = [data.svc_me.account.urn]
  allow = [
    "account:apisvc:me/get",
    "order:apisvc:cart/assign",
    "account:apisvc:me/payment/method/get",
    "order:apisvc:cart/checkout/simulate",
    "order:apisvc:cart/checkout/execute",
    "account:apisvc:me/order/pay",
  ]
}
