import { describe, expect, test } from 'vitest'
import { inFolder, lintFolder } from '../support/configurations.ts'

const policy = (label: string, first: string) => `resource "svc_iam_policy" "${label}" {
  ${first}
  name       = "x"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]
}
`
const codes = (...policies: readonly string[]) =>
  inFolder(new Map([['main.tf', policies.join('')]]), async (folder) => (await lintFolder(folder)).findings.map(({ code }) => code).sort())

describe('policies of which one is there where the other is not', () => {
  // Many names: whether two are taken for present together depends on how they are spelled.
  test.each(['on', 'enabled', 'create', 'is_prod', 'a', 'b', 'flag', 'x1', 'x2', 'x3'])(
    'are not held against one another: var.%s',
    async (name) => {
      const declared = `variable "${name}" {\n  type = bool\n}\n`
      const [one, other] = [`count = var.${name} ? 1 : 0`, `count = var.${name} ? 0 : 1`]
      expect(await codes(declared, policy('a', one), policy('b', other))).toEqual([])
      const not = `count = !var.${name} ? 1 : 0`
      expect(await codes(declared, policy('a', one), policy('b', not))).toEqual([])
    },
  )

  test('are where both are there for the same reason, or one is there anyway', async () => {
    const declared = 'variable "on" {\n  type = bool\n}\n'
    const twice = ['duplicate-name', 'equivalent-policies']
    expect(await codes(declared, policy('a', 'count = var.on ? 1 : 0'), policy('b', 'count = var.on ? 1 : 0'))).toEqual(twice)
    expect(await codes(declared, policy('a', ''), policy('b', 'count = var.on ? 1 : 0'))).toEqual(twice)
  })
})
