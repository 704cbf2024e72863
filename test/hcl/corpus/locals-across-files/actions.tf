locals {
  web_actions = [
    "webHosting:apisvc:get",
    "webHosting:apisvc:usr/get",
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-action
  ]
}
