workspace_id = "atlas"
project_id   = "dev"
account_id   = "ab12-svc"
users = [
  { email = "ann@example.org", roles = ["admin", "user"] },
  { email = "bob@example.org", roles = ["user"] },
  { email = "cleo@example.org", roles = ["reader"] },
]
