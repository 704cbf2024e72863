# Identities and resources that the same configuration makes: their names are known when it was applied.
resource "svc_me_identity_group" "web" {
  name        = "web"
  description = "Web developers"
}

resource "svc_me_api_oauth2_client" "deploy" {
  name  = "deploy"
  flow  = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "web" {
  name       = "web"
  identities = [svc_me_identity_group.web.urn, svc_me_api_oauth2_client.deploy.identity]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
  deny       = ["webHosting:apisvc:terminate"]
}
