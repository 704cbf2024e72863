resource "svc_cloud_project_user_s3_policy" "policy" {
  service_name = var.service_name
  user_id      = svc_cloud_project_user.user.id
  policy = jsonencode({
    "Statement" : [{
      "Sid" : "RWContainer",
      "Effect" : "Allow",
      "Action" : ["s3:GetObject", "s3:PutObject"],
      "Resource" : ["arn:aws:s3:::bucket", "arn:aws:s3:::bucket/*"]
    }]
  })
}

variable "service_name" {}

resource "svc_cloud_project_user" "user" {
  service_name = var.service_name
}
