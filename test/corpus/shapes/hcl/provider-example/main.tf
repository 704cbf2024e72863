data "svc_me" "account" {}

resource "svc_me_identity_group" "my_group" {
  name        = "my_group"
  description = "my_group created in Terraform"
}

resource "svc_iam_policy" "ip_prod" {
  name        = "ip_prod"
  description = "From one address, to what is tagged prod"
  identities  = [svc_me_identity_group.my_group.urn]
  resources   = ["urn:v1:eu:resource:vps:*"]

  allow = ["vps:apisvc:*"]

  conditions {
    operator = "MATCH"
    values = {
      "resource.Tag(environment)" = "prod"
      "request.IP"                = "192.72.0.1"
    }
  }
}

resource "svc_iam_policy" "workdays" {
  name        = "workdays"
  description = "On workdays, until the end of 2028"
  identities  = [svc_me_identity_group.my_group.urn]
  resources   = ["urn:v1:eu:resource:vps:*"]

  allow = ["vps:apisvc:*"]

  conditions {
    operator = "MATCH"
    values = {
      "date(Europe/Paris).WeekDay.In" = "monday,tuesday,wednesday,thursday,friday"
    }
  }

  expired_at = "2028-12-31T23:59:59Z"
}

resource "svc_iam_policy" "not_on_weekends" {
  name        = "not_on_weekends"
  description = "Never on Saturday or Sunday"
  identities  = [svc_me_identity_group.my_group.urn]
  resources   = ["urn:v1:eu:resource:vps:*"]
  allow       = ["vps:apisvc:reboot"]

  conditions {
    operator = "AND"
    condition {
      operator = "MATCH"
      values = {
        "resource.Tag(team)" = "platform"
      }
    }
    condition {
      operator = "NOT"
      condition {
        operator = "MATCH"
        values = {
          "date(Europe/Paris).WeekDay.In" = "saturday,sunday"
        }
      }
    }
  }
}
