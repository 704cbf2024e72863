module "reader" {
  source  = "svc/iam/svc//modules/reader"
  version = "1.2.0"
  login   = "ann"
}

resource "svc_iam_policy" "registry" {
  name        = "registry"
  description = "Push images"
  identities  = [module.reader.identity]
  resources   = ["urn:v1:eu:resource:publicCloudProject:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"]
  allow = [
    "publicCloudProject:apisvc:containerRegistry/get",
    "publicCloudProject:apisvc:containerRegistry/users/*",
  ]
}
