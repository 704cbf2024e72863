# Made by hand first and imported.
data "svc_me" "this" {}

resource "svc_me_api_oauth2_client" "terraform" {
  name        = "terraform"
  description = "Runs the plans"
  flow        = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "terraform" {
  name        = "terraform"
  description = "Terraform manages what there is"

  identities = [svc_me_api_oauth2_client.terraform.identity]

  resources = [
    data.svc_me.this.urn,
    "urn:v1:eu:resource:publicCloudProject:*",
  ]

  allow = ["*"]
}
