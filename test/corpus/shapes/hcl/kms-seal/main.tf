resource "svc_iam_policy" "seal" {
  name        = "vault-seal"
  description = "Three operations and no more: the key never leaves"
  identities  = ["urn:v1:eu:identity:user:ab12-svc/vault"]
  resources   = ["urn:v1:eu:resource:okms:734b9b45-8b1a-469c-b140-b10bd6540017"]
  allow = [
    "okms:kmip:getAttributes",
    "okms:kmip:encrypt",
    "okms:kmip:decrypt",
  ]
  deny = [
    "okms:kmip:get",
    "okms:kmip:destroy",
  ]
}
