variable "tenants" {
  type = map(object({ project_urn = string }))
  default = {
    demo = { project_urn = "urn:v1:eu:resource:publicCloudProject:0123456789abcdef0123456789abcdef" }
    lab  = { project_urn = "urn:v1:eu:resource:publicCloudProject:fedcba9876543210fedcba9876543210" }
  }
}
