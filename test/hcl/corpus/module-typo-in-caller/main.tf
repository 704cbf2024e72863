module "stop" {
  source  = "./policy"
  actions = ["vps:apisvc:stop", "vps:apisvc:strat"]
#                               ^^^^^^^^^^^^^^^^^^ unknown-action
}
