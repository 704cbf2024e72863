resource "svc_iam_policy" "open" {
  description = <<-EOT
    never closed
  name       = "open"
}
