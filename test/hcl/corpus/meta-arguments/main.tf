terraform {
  required_version = ">= 1.5"
  required_providers {
    svc = {
      source  = "example/svc"
      version = "~> 2.0"
    }
  }
}

provider "svc" {
  alias    = "eu"
  endpoint = "svc-eu"
}

resource "svc_iam_policy" "guarded" {
  provider   = svc.eu
  name       = "guarded"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:get"]
  depends_on = [svc_iam_policy.other]

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [description]
    precondition {
      condition     = length("abc") == 3
      error_message = "Never."
    }
  }
}

resource "svc_iam_policy" "other" {
  name       = "other"
  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:apisvc:stop"]
}

moved {
  from = svc_iam_policy.guard
  to   = svc_iam_policy.guarded
}

import {
  to = svc_iam_policy.other
  id = "72e78c67-c2cf-4294-aafc-830c8a2aedd7"
}

check "reachable" {
  assert {
    condition     = svc_iam_policy.other.name == "other"
    error_message = "No."
  }
}

output "policy" {
  value = svc_iam_policy.guarded.id
}
