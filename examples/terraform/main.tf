terraform {
  required_providers {
    svc = {
      source  = "example/svc"
      version = "~> 2.0"
    }
  }
}

locals {
  account = "ab12-svc"
  teams = {
    web = { machines = ["vps-1", "vps-2"], verbs = ["get", "reboot"] }
    ops = { machines = ["vps-1", "vps-2", "vps-3"], verbs = ["*"] }
  }
}

# One policy and one resource group for each team.
module "team" {
  source   = "./modules/team"
  for_each = local.teams

  name     = each.key
  group    = "urn:v1:eu:identity:group:${local.account}/${each.key}"
  machines = each.value.machines
  verbs    = each.value.verbs
}

# The identity that publishes the website is a variable without a default.
resource "svc_iam_policy" "deploy" {
  name        = "deploy"
  description = "The pipeline publishes the website"
  identities  = [var.deployer]
  resources   = ["urn:v1:eu:resource:webHosting:${var.site}"]
  allow       = ["webHosting:apisvc:get", "webHosting:apisvc:edit"]
}

resource "svc_iam_policy" "freeze" {
  count       = var.env == "production" ? 1 : 0
  name        = "freeze"
  description = "Nobody ends the contract of a machine in production"
  identities  = ["urn:v1:eu:identity:group:${local.account}/*"]
  resources   = ["urn:v1:eu:resource:vps:*"]
  deny        = ["vps:apisvc:terminat"]
}
