group   = "web"
machine = "vps-2"
actions = ["vps:apisvc:get", "vps:apisvc:stp"]
