locals {
  teams = {
    web  = { login = ["kim", "lea"], zone = "example.org" }
    mail = { login = ["max"], zone = "example.net" }
  }
  members = merge([
    for team, each in local.teams : {
      for login in each.login : "${team}-${login}" => { team = team, login = login, zone = each.zone }
    }
  ]...)
}

resource "svc_me_identity_user" "member" {
  for_each    = local.members
  login       = each.value.login
  description = title(each.value.login)
  email       = "${each.value.login}@example.org"
  group       = "UNPRIVILEGED"
  password    = "change-at-first-login"
}

resource "svc_iam_policy" "member" {
  for_each    = local.members
  name        = each.key
  description = "Zone of ${each.value.team}"
  identities  = [svc_me_identity_user.member[each.key].urn]
  resources   = ["urn:v1:eu:resource:dnsZone:${each.value.zone}"]
  allow       = ["dnsZone:apisvc:get", "dnsZone:apisvc:record/get", "dnsZone:apisvc:export"]
}
