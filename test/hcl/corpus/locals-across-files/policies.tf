resource "svc_iam_policy" "web" {
  name       = local.names.web
  identities = local.web_team
  resources  = local.sites
  allow      = local.web_actions
}
