locals {
  names    = { web = "web" }
  web_team = ["urn:v1:eu:identity:group:ab12-svc/web"]
}

locals {
  sites = ["urn:v1:eu:resource:webHosting:example.org"]
}
