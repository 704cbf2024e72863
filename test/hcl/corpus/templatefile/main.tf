variable "owner" {
  default = "web"
}

resource "svc_iam_policy" "file" {
  name        = "file"
  description = templatefile("${path.module}/about.tftpl", { owner = var.owner })
  identities  = [trimspace(file("${path.module}/identity.txt"))]
  resources   = ["urn:v1:eu:resource:vps:vps-1"]
  allow       = ["vps:apisvc:get"]
}
