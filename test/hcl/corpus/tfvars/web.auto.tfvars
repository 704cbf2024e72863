# Read after terraform.tfvars, so that it counts.
actions = ["vps:apisvc:get", "vps:apisvc:reboot", "vps:apisvc:startt"]
#                                                 ^^^^^^^^^^^^^^^^^^^ unknown-action
