variable "okms_id" {
  type    = string
  default = "734b9b45-8b1a-469c-b140-b10bd6540017"
}

resource "svc_me_api_oauth2_client" "eso" {
  name = "external-secrets"
  flow = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "eso" {
  name        = "external-secrets"
  description = "Read secrets into the cluster"
  identities  = [svc_me_api_oauth2_client.eso.identity]
  resources   = ["urn:v1:eu:resource:okms:${var.okms_id}"]
  allow = [
    "okms:apisvc:secret/get",
    "okms:apikms:secret/get",
    "okms:apikms:secret/version/getData",
  ]
}
