variable "name" {
  type = string
}

variable "group" {
  type = string
}

variable "machines" {
  type = list(string)
}

variable "verbs" {
  type = list(string)
}

resource "svc_iam_resource_group" "machines" {
  name      = "machines of ${var.name}"
  resources = [for machine in var.machines : "urn:v1:eu:resource:vps:${machine}"]
}

resource "svc_iam_policy" "team" {
  name        = "machines of ${var.name}"
  description = "What the team does with its machines"
  identities  = [var.group]
  resources   = [svc_iam_resource_group.machines.urn]
  allow       = [for verb in var.verbs : "vps:apisvc:${verb}"]
}
