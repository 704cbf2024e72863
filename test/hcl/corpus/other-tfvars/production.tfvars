group = "urn:v1:eu:identity:group:ab12-svc/web"
