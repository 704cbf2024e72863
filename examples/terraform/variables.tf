variable "deployer" {
  description = "URN of the service account of the pipeline"
  type        = string
}

variable "site" {
  type    = string
  default = "www.example.org"
}

variable "env" {
  type    = string
  default = "production"
}
