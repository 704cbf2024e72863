variable "break_glass" {
  type        = bool
  description = "Whether the on-call team may do everything for now"
}

resource "svc_iam_policy" "break_glass" {
  count      = var.break_glass ? 1 : 0
  name       = "break glass"
  identities = ["urn:v1:eu:identity:group:ab12-svc/on-call"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:*"]
}
