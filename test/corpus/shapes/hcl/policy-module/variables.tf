variable "name" {
  type = string
}
variable "description" {
  type    = string
  default = null
}
variable "identities" {
  type = set(string)
}
variable "resources" {
  type = set(string)
}
variable "allow" {
  type = set(string)
}
variable "conditions" {
  type = object({
    operator = string
    values   = optional(map(string))
    condition = optional(list(object({
      operator = string
      values   = optional(map(string))
    })), [])
  })
  default = null
}
