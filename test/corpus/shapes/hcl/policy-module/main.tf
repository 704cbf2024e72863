# One policy: what the caller lists is all that it grants.
resource "svc_iam_policy" "this" {
  name        = var.name
  description = var.description
  identities  = var.identities
  resources   = var.resources
  allow       = var.allow

  dynamic "conditions" {
    for_each = var.conditions == null ? [] : [var.conditions]
    content {
      operator = conditions.value.operator
      values   = conditions.value.values

      dynamic "condition" {
        for_each = conditions.value.condition
        iterator = second
        content {
          operator = second.value.operator
          values   = second.value.values
        }
      }
    }
  }
}
