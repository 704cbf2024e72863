variable "auditors" {
  type    = list(string)
  default = ["ann", "bob"]
}

data "svc_me" "me" {}

resource "svc_iam_policy" "audit" {
  name        = "audit"
  description = "Read everything"
  identities  = [for login in var.auditors : "urn:v1:eu:identity:user:${data.svc_me.me.nichandle}/${login}"]
  resources   = [data.svc_me.me.urn, "urn:v1:eu:resource:*"]

  permissions_groups = ["urn:v1:eu:permissionsGroup:svc:globalReadOnly"]
}
