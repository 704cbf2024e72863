terraform {
  required_version = "= 1.8.7"
  required_providers {
    svc = {
      source  = "svc/svc"
      version = "1.5.0"
    }
  }
}

provider "svc" {
  endpoint = "svc-eu"
}

resource "svc_cloud_project_kube" "primary" {
  service_name = "5f1d0b1f0e9a4c7bb3f6c1ad22f7a901"
  name         = "primary"
  region       = "DE1"
}

resource "svc_iam_policy" "runner" {
  name        = "runner-service-account"
  description = "What the runner of the stack does"
  identities = [
    "urn:v1:eu:identity:credential:hm87449-svc/oauth2-6609ec93ff0ec63f"
  ]
  resources = [
    "urn:v1:eu:resource:*"
  ]
  allow = [
    "publicCloudProject:apisvc:kube/*",
    "publicCloudProject:apisvc:kube/nodepool/*",
    "publicCloudProject:apisvc:network/private/*",
    "publicCloudProject:apisvc:region/network/subnet/gateway/*",
    "account:apisvc:iam/policy/*"
  ]
}
