import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { position, sourceOf } from '../../src/source.ts'
import { mainIn } from '../support/in-process.ts'

const shapes = new URL('../corpus/shapes/templates/', import.meta.url)
const shape = (name: string) => readFileSync(new URL(name, shapes), 'utf8')
/** Problems found in a text: `LINE:COLUMN MESSAGE | HELP`. */
const found = async (name: string, text: string) => {
  const { diagnostics } = await readSource(sourceOf(name, text), defaultSettings)
  return diagnostics.map(({ span, message, help }) => {
    const { line, column } = position(span.source, span.start)
    return `${line}:${column} ${message} | ${help ?? ''}`
  })
}
const policy = (over: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    name: 'web',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
    ...over,
  })

describe('a template is one finding, which names its language and where it begins', () => {
  test.each([
    ['crossplane-helm.yaml', '1:1 a template of Helm, `{{- if .Values.iam.enabled }}`', 'helm template . | grantwise lint -'],
    ['chart/templates/policy.yaml', '1:1 a template of Helm, `{{- range $name, $policy := .Values.policies }}`', 'helm template .'],
    ['policy.json.j2.json', '2:12 a template of Jinja, `{{ team }}`', 'jinja2'],
    ['ansible-vars.yml', '2:12 a template of Jinja, Ansible or Mustache, `{{ item.name }}`', 'grantwise lint -'],
    ['erb.yaml', '1:7 a template of ERB, `<%= @name %>`', 'erb FILE'],
    ['terraform-template.json', '4:5 a template of Terraform (`templatefile`), `%{ for user in users ~}`', 'calls `templatefile`'],
    ['gotemplate-comment.yaml', '7:5 a template of Go, `{{- if .production }}`', 'grantwise lint -'],
    ['tokens.yaml', '2:39 a template of a replacement of tokens (`@@…@@`), `@@ACCOUNT@@`', 'tokens replaced'],
    ['azure-tokens.json', '3:43 a template of a replacement of tokens (`#{…}`), `#{Account}#`', 'tokens replaced'],
    ['backstage.yaml', '1:7 a template of a workflow or scaffolder (`${{ … }}`), `${{ values.name }}`', 'lint the file'],
  ])('%s', async (name, says, help) => {
    const all = await found(name, shape(name))
    expect(all).toHaveLength(1)
    expect(all[0]).toContain(`${says}: what it grants is not known until it is filled in`)
    expect(all[0]).toContain(help)
  })

  test.each([
    ['${NAME}', 'envsubst'],
    ['${NAME:-web}', 'envsubst'],
    ['$(team)-web', 'Azure Pipelines'],
    ['{{ team }}', 'Jinja, Ansible or Mustache'],
    ['{{ .team }}', 'Go'],
    ['@@team@@', 'tokens'],
  ])('in a URN: %s', async (name, language) => {
    const all = await found('p.json', policy({ resources: [{ urn: `urn:v1:eu:resource:vps:${name}` }] }))
    expect(all).toHaveLength(1)
    expect(all[0]).toContain(language)
  })

  test.each([
    policy({ description: 'as `{{ name }}` in ${TEAM}, {% if %} or <% x %>' }),
    policy({ name: 'a {web} of $5, 100 %, #1 and @home' }),
    policy({ name: 'say "hi" ${x}' }),
    policy({ name: '${' }),
    policy({ name: '{{' }),
    policy({ name: '@@' }),
    policy({ permissions: { allow: [{ action: 'pccVMware:vSphere:assumeRole?{{role_name}}' }] } }),
  ])('nothing is found in %s', async (text) => {
    expect(await found('p.json', text)).toEqual([])
  })

  test('a broken text without tags keeps what is wrong in it', async () => {
    const [first] = await found('p.json', policy({}).replace('"name"', 'name'))
    expect(first).toContain('the key `name` is not quoted')
  })

  test('a long text of openings takes steps in proportion to it', async () => {
    for (const open of ['{{', '{%', '<%', '${{', '${a', '#{a', '$(a', '@@a']) {
      const all = await found('p.yaml', `name: "${open.repeat(20_000)}"\nidentities: []\n`)
      expect(all.length).toBeLessThan(100)
    }
  })

  test('a character that hides others is named where it is shown', async () => {
    const [first] = await found('p.json', policy({ resources: [{ urn: 'urn:v1:eu:resource:vps:{{ \u202e }}' }] }))
    expect(first).toContain('`{{ \\u{202e} }}`')
    expect(first).not.toContain('\u202e')
  })

  test('nothing is decided over one, and that is the only reason', async () => {
    const question = [
      'can',
      'urn:v1:eu:identity:user:ab12-svc/ann',
      'vps:apisvc:reboot',
      'urn:v1:eu:resource:vps:a',
      '-p',
      'crossplane-helm.yaml',
    ]
    const { stderr, stdout, exit } = await mainIn(question, new URL('.', shapes).pathname)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr.split('\n').filter((line) => /^crossplane-helm\.yaml:/.test(line))).toHaveLength(1)
  })
})

describe('one cause, one finding', () => {
  const inFile = async (text: string) => (await found('p.yaml', text)).map((line) => line.slice(0, line.indexOf(' ')))
  test.each([
    ['x: &x\n  name: a\n<<: *x\nidentities: []\n', ['3:1']],
    ['- &a { name: a, identities: [] }\n- { <<: *a, name: b }\n', ['2:5']],
    ['- &a { name: a, identities: [] }\n- &b { name: c }\n- { <<: [*a, *b], name: b, identities: [] }\n', ['3:5']],
    ['- &a { name: a, identities: [] }\n- <<:\n    - *a\n  name: b\n  identities: []\n', ['2:3']],
  ])('a merge key: %j', async (text, places) => {
    const all = await inFile(text)
    expect(all.filter((place) => places.includes(place))).toEqual(places)
    expect((await found('p.yaml', text)).filter((line) => /anchor|alias|unknown field|merge key `<<`/.test(line))).toEqual([])
  })

  test('an alias that is not merged is one of its own, with its anchor', async () => {
    const all = await found('p.yaml', '- &a { name: a, identities: [] }\n- { <<: *a, name: b, resources: *a }\n')
    expect(all.filter((line) => /anchor/.test(line)).length).toBeGreaterThan(0)
    expect(all.filter((line) => /is an alias/.test(line))).toHaveLength(1)
  })
})

describe('bodies of calls that make groups', () => {
  const lint = async (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-templates-'))
    writeFileSync(join(folder, 'body.json'), text)
    const { stdout, exit } = await mainIn(['lint', 'body.json', '--format', 'json'], folder)
    rmSync(folder, { recursive: true })
    const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; line: number }[] }
    return { codes: findings.map(({ code }) => code), exit }
  }
  test.each([
    ['{"name":"care","permissions":{"allow":[{"action":"vps:apisvc:reboot"}]}}', [], 0],
    ['{"name":"care","description":"x","permissions":{"allow":[{"action":"vps:apisvc:rebot"}]}}', ['unknown-action'], 1],
    ['{"name":"shop","resources":[{"id":"0a0a0a0a-1111-4222-8333-444444444444"}]}', [], 0],
    ['{"name":"shop","description":"x","resources":[{"urn":"urn:v1:eu:resource:vps:a"}]}', [], 0],
    // One field more, and it is meant to be a policy.
    [
      '{"name":"p","permissions":{"allow":[{"action":"vps:apisvc:reboot"}]},"identities":["urn:v1:eu:identity:user:ab12-svc/ann"]}',
      ['shape'],
      1,
    ],
  ])('%s', async (text, codes, exit) => {
    expect(await lint(text)).toEqual({ codes, exit })
  })
})
