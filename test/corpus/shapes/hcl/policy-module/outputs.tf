output "id" {
  description = "The id of the policy."
  value       = svc_iam_policy.this.id
}
