resource "svc_iam_policy" "operations" {
  name       = "operations"
  identities = [svc_iam_group.operations.urn]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow = [
    "vps:apisvc:get",
  ]
}
