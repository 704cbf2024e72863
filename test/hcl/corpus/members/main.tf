# Users that the same configuration puts into a group, by the group itself, by its name, or by a value that is not known.
variable "anywhere" {
  type = string
}

resource "svc_me_identity_group" "ops" {
  name = "ops"
}

resource "svc_me_identity_group" "dev" {
  name = "dev"
}

resource "svc_me_identity_user" "ann" {
  login = "ann"
  group = svc_me_identity_group.ops.name
}

resource "svc_me_identity_user" "bob" {
  login = "bob"
  group = svc_me_identity_group.dev.name
}

resource "svc_me_identity_user" "eve" {
  login = "eve"
  group = var.anywhere
}

resource "svc_iam_policy" "ops" {
  name       = "ops"
  identities = [svc_me_identity_group.ops.urn]
  resources  = ["urn:v1:eu:resource:webHosting:example.org"]
  allow      = ["webHosting:apisvc:get"]
}
