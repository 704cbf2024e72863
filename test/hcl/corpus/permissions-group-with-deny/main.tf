variable "frozen" {
  type = list(string)
}

resource "svc_iam_permissions_group" "careful" {
  name   = "careful"
  allow  = ["vps:apisvc:*"]
  except = ["vps:apisvc:terminate"]
  deny   = var.frozen
}

resource "svc_iam_policy" "careful" {
  name               = "careful"
  identities         = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources          = ["urn:v1:eu:resource:vps:vps-1"]
  permissions_groups = [svc_iam_permissions_group.careful.urn]
}
