resource "svc_me_identity_group" "network" {
  name = "network"
}

resource "svc_iam_policy" "network" {
  name        = "network"
  description = "Attach and detach"
  identities  = [svc_me_identity_group.network.urn]
  resources = [
    "urn:v1:eu:resource:vrack:pn-123456",
    "urn:v1:eu:resource:publicCloudProject:0123456789abcdef0123456789abcdef",
    "urn:v1:eu:resource:dedicatedServer:ns1234567.ip-203-0-113.eu",
  ]
  allow = [
    "vrack:apisvc:get",
    "vrack:apisvc:allowedServices/get",
    "vrack:apisvc:cloudProject/attach",
    "vrack:apisvc:cloudProject/detach",
    "vrack:apisvc:dedicatedServer/attach",
    "publicCloudProject:apisvc:vrack/attach",
    "dedicatedServer:apisvc:vrack/attach",
  ]
}
