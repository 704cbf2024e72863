variable "verbs" {
  description = "What may be done"
  type        = list(string)
  default     = ["get", "stop", "start"]

  validation {
    condition     = length(var.verbs) > 0
    error_message = "Name at least one."
  }
}

variable "machine" {
  type     = string
  default  = "vps-1"
  nullable = false
}

resource "svc_iam_policy" "defaults" {
  name       = "defaults"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:${var.machine}"]
  allow      = [for verb in var.verbs : "vps:apisvc:${verb}"]
}
