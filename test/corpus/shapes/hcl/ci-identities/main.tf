# Identities of the pipelines: service accounts with policies that list what the stacks call.
#
# Granted to none of them, so that a broken pipeline destroys nothing:
#   - emailDomain:apisvc:account/delete
#   - dnsZone:apisvc:dnssec/delete

variable "managed_domains" {
  type    = set(string)
  default = ["example.org", "example.net"]
}

locals {
  domain_urns       = [for d in var.managed_domains : "urn:v1:eu:resource:domain:${d}"]
  email_domain_urns = [for d in var.managed_domains : "urn:v1:eu:resource:emailDomain:${d}"]
  dns_zone_urns     = [for d in var.managed_domains : "urn:v1:eu:resource:dnsZone:${d}"]
}

resource "svc_me_api_oauth2_client" "ci" {
  for_each = toset(["plan", "production"])

  name        = "infrastructure-ci-${each.key}"
  description = "Actions, ${each.key}"
  flow        = "CLIENT_CREDENTIALS"
}

resource "svc_iam_policy" "ci_plan_read" {
  name        = "infrastructure-ci-plan-read"
  description = "CI plan: read domains, zones and mailboxes"
  identities  = [svc_me_api_oauth2_client.ci["plan"].identity]
  resources   = concat(local.domain_urns, local.email_domain_urns, local.dns_zone_urns)

  allow = [
    "domain:apisvc:name/get",
    "emailDomain:apisvc:account/get",
    "emailDomain:apisvc:redirection/get",
    "dnsZone:apisvc:dnssec/get",
    "dnsZone:apisvc:record/get",
  ]
}

resource "svc_iam_policy" "ci_production" {
  name        = "infrastructure-ci-production"
  description = "CI production: manage, delete nothing"
  identities  = [svc_me_api_oauth2_client.ci["production"].identity]
  resources   = concat(local.domain_urns, local.email_domain_urns, local.dns_zone_urns)

  allow = [
    "domain:apisvc:name/get",
    "domain:apisvc:name/edit",
    "emailDomain:apisvc:account/get",
    "emailDomain:apisvc:account/create",
    "dnsZone:apisvc:dnssec/create",
    "dnsZone:apisvc:record/get",
    "dnsZone:apisvc:record/create",
    "dnsZone:apisvc:record/edit",
    "dnsZone:apisvc:refresh",
  ]
}
