resource "svc_iam_policy" "support" {
  name        = "support"
  description = <<-EOT
    Support looks at machines and restarts them.
    Nothing here "quotes" ${"anything"}, and braces { } stay what they are.
  EOT
  identities  = ["urn:v1:eu:identity:group:ab12-svc/support"]
  resources   = ["urn:v1:eu:resource:vps:*"]
  allow       = ["vps:apisvc:get", "vps:apisvc:rebooot"]
#                                  ^^^^^^^^^^^^^^^^^^^^ unknown-action
}
