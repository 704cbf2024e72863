variable "username" { type = string }
variable "user_email" { type = string }
variable "project_description" { type = string }

locals {
  sanitized_username = replace(var.username, "/[^a-zA-Z0-9]/", "-")
}

resource "svc_cloud_project" "workshop_project" {
  description = var.project_description
}

resource "svc_me_identity_user" "workshop_user" {
  description = var.username
  email       = var.user_email
  group       = "UNPRIVILEGED"
  login       = var.username
  password    = "Temporary-1!"
}

resource "svc_iam_policy" "workshop_policy" {
  name        = "access-grant-for-project-${local.sanitized_username}"
  description = "Grants access to ${var.username} for ${svc_cloud_project.workshop_project.project_id}"
  identities  = [svc_me_identity_user.workshop_user.urn]
  resources   = [svc_cloud_project.workshop_project.urn]
  allow       = ["*"]
}
