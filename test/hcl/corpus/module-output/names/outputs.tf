output "deployer" {
  value = "urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy"
}

output "machines" {
  value = ["urn:v1:eu:resource:vps:vps-1"]
}
