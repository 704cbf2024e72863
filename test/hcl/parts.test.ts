import { expect, test } from 'vitest'
import { shownConfiguration } from '../support/hcl-shown.ts'
import cases from './parts.json' with { type: 'json' }

const before = `locals {
  m = { a = "x", l = ["p", "q"], "0" = "zero", n = null }
  l = ["p", "q", { k = "v" }]
  s = toset(["q", "p"])
  t = "a-\${var.u}"
  spread = [for x in var.us : x.urn]
  some = concat(["first"], [for x in var.us : x.urn])
  g = svc_iam_resource_group.g
}
resource "svc_iam_resource_group" "g" {
  name = "g"
}
resource "svc_iam_resource_group" "many" {
  for_each = toset(["k"])
  name = "g"
}
`

test.each(cases as readonly { expression: string; value: string; problems?: readonly string[] }[])(
  'what `$expression` is',
  ({ expression, value, problems = [] }) => {
    const policy = `resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = []\n  resources = []\n  allow = [${expression}]\n}\n`
    const lines = shownConfiguration({ 'main.tf': before + policy })
    const record = lines.find((line) => line.startsWith('svc_iam_policy.p '))
    const shown = record?.match(/permissions<allow>: \{ allow: \[(.*)\] \} \}$/)?.[1]
    expect(shown?.replace(/^\{ action(<[^>]*>)?: (.*) \}$/, '$2')).toBe(value)
    expect(lines.filter((line) => /^(shape|syntax) /.test(line))).toEqual(problems)
  },
)
