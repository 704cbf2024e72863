import type { Rule } from '../rule.ts'

export const neverEqual: Rule = {
  code: 'never-equal',
  section: 'document',
  severity: 'warning',
  summary: 'A list, set or map of Terraform or OpenTofu that is compared with brackets or braces, which it never equals.',
  why:
    'What is written in brackets is a tuple and what is written in braces an object: they have a type for each part. A variable of ' +
    'the type `list(string)` or `map(string)` has another type, and values of two types are never equal, so that `var.extra == []` is ' +
    'false when the list is empty, too. Where it decides whether a policy is created, a deny is lost. Compare the length, or convert ' +
    'what is written with `tolist`, `toset` or `tomap`.',
  reader: true,
}
