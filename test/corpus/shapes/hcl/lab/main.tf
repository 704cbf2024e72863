terraform {
  required_providers {
    svc = {
      source  = "svc/svc"
      version = "~> 2.0"
    }
  }
}

variable "project_urn" {
  type = string
}
variable "tofu_identity" {
  type = string
}
variable "tofu_allowed_actions" {
  description = "Actions strictement necessaires"
  type        = list(string)
}

resource "svc_me_identity_group" "operators" {
  name = "operateurs"
  role = "UNPRIVILEGED"
}

resource "svc_iam_policy" "tofu" {
  name        = "tofu-project-limited"
  description = "Droits limites au projet de laboratoire"
  identities  = [var.tofu_identity]
  resources   = [var.project_urn]

  # a remplacer par les actions verifiees
  allow = var.tofu_allowed_actions
}
