locals {
  people = { kim = "ops", lou = "web" }
}

resource "svc_me_identity_group" "team" {
  for_each = local.teams
  name     = each.key
}

resource "svc_me_identity_user" "person" {
  for_each = local.people
  login    = each.key
  email    = "${each.key}@example.org"
  group    = svc_me_identity_group.team[each.value].name
}
