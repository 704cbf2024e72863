import { describe, expect, test } from 'vitest'
import { inFolder, run } from '../support/configurations.ts'

const main = (type: string, more = '') => `variable "given" {
  type = ${type}
${more}}

resource "svc_iam_policy" "p" {
  name       = "p"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = [for x in var.given : "urn:v1:eu:resource:vps:\${x}"]
  allow      = ["vps:apisvc:reboot"]
}
`
const lint = (text: string, ...args: readonly string[]) =>
  inFolder(new Map([['main.tf', text]]), (folder) => run(folder, ['lint', '.', '--no-config', ...args]))

describe('values of variables', () => {
  test.each([
    ['list(string)', '3', 'a list'],
    ['set(string)', '{ a = 1 }', 'a list'],
    ['map(string)', '["x"]', 'a map'],
    ['number', 'abc', 'a number'],
    ['bool', 'perhaps', '`true` or `false`'],
  ])('of another type are refused: %s', async (type, value, expected) => {
    const { code, stdout } = await lint(main(type), '--var', `given=${value}`, '--format', 'compact')
    expect(code).toBe(1)
    expect(stdout).toContain(`the value that is given for \`var.given\` is not of its type: ${expected} is expected`)
  })

  test.each(['S3CR3T', '"S3CR3T"', '["S3CR3T"]'])('that are sensitive are not printed: %s', async (value) => {
    const { code, stdout, stderr } = await lint(main('list(string)', '  sensitive = true\n'), '--var', `given=${value}`, '--format', 'json')
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain('S3CR3T')
  })
})
