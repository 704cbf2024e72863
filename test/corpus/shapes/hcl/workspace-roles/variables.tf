variable "workspace_id" { type = string }
variable "project_id" { type = string }
variable "account_id" { type = string }
variable "users" {
  type = list(object({
    email = string
    roles = list(string)
  }))
}
