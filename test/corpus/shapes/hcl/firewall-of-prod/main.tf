resource "svc_me_identity_group" "oncall" {
  name = "oncall"
}

resource "svc_iam_policy" "never_terminate" {
  name        = "never-terminate"
  description = "Nobody on call ends a contract"
  identities  = [svc_me_identity_group.oncall.urn]
  resources   = ["urn:v1:eu:resource:*"]
  deny = [
    "*:terminate",
    "*:confirmTermination",
    "dedicatedServer:apisvc:reinstall",
    "vps:apisvc:rebuild",
  ]
}

resource "svc_iam_policy" "oncall" {
  name        = "oncall"
  description = "Restart what hangs"
  identities  = [svc_me_identity_group.oncall.urn]
  resources = [
    "urn:v1:eu:resource:dedicatedServer:*",
    "urn:v1:eu:resource:vps:*",
  ]
  allow = [
    "dedicatedServer:apisvc:get",
    "dedicatedServer:apisvc:reboot",
    "dedicatedServer:apisvc:task/get",
    "vps:apisvc:get",
    "vps:apisvc:reboot",
  ]
}
