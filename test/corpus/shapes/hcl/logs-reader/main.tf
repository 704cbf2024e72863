resource "svc_iam_policy" "logs" {
  name        = "logs-reader"
  description = "Streams and dashboards"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/support"]
  resources   = ["urn:v1:eu:resource:ldp:ldp-ab-12345", "urn:v1:eu:resource:ldp/stream:*"]
  allow = [
    "ldp:apisvc:output/graylog/stream/get",
    "ldp:apisvc:output/graylog/stream/url/get",
    "ldp:apisvc:output/opensearch/index/get",
    "ldp:graylog:dashboard/read",
    "ldp:graylog:stream/read",
    "ldp:opensearch:index/read",
  ]
}
