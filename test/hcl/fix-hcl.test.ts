import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { converted, simplestNotation } from '../../src/convert/convert.ts'
import { canonicalText } from '../../src/convert/hcl.ts'
import { type Folder, readConfiguration } from '../../src/hcl/module.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { readingOf } from '../../src/hcl/read.ts'
import { fixTexts } from '../../src/lint/fix.ts'
import type { FixFile, FixLevel } from '../../src/lint/may-fix.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { commentsIn } from '../../src/parser/comments.ts'
import { toPolicies } from '../../src/parser/read-open.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { effort, isWhole, some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 0, 15, 12)

function hclReading(source: Source) {
  const file = readHcl(source, 'svc_iam_')
  const folder: Folder = { path: '', name: '.', files: [file], values: [] }
  return readingOf(file, [readConfiguration(folder, new Map(), { prefix: 'svc' })])
}

/** One file by itself. */
async function read(source: Source): Promise<FixFile> {
  if (!source.path.endsWith('.tf')) return { source, read: await readSource(source, defaultSettings) }
  return { source, read: await toPolicies(source, hclReading(source), defaultSettings) }
}

function find(files: readonly FixFile[]) {
  const { world, diagnostics } = buildWorld(files.map((file) => file.read.facts))
  const context = ruleContext({ world, catalogue, settings: defaultSettings, now })
  return lint(rules, context, [...files.flatMap((file) => file.read.diagnostics), ...diagnostics], levelsOf('auditor'))
}

async function fix(path: string, text: string, level: FixLevel = 'safe') {
  const file = await read(sourceOf(path, text))
  // The text that is read again is the one that was handed in.
  const again = async (source: Source) => (await read(source)).read
  const { files, count } = await fixTexts([file], level, { read: again, find })
  return { text: files[0]?.after.source.text as string, count }
}

function documentsOf(path: string, text: string): readonly Node[] {
  const source = sourceOf(path, text)
  if (path.endsWith('.tf')) return hclReading(source).documents.map((each) => simplestNotation(each, new Map()))
  return readTree(source, readYaml).documents
}

const policy = (lines: string) => `resource "svc_iam_policy" "a" {
  name        = "web readers"
  description = "what the web team may look at"
${lines}}
`
const identities = '  identities  = ["urn:v1:eu:identity:group:ab12-svc/web"]\n'
const resources = '  resources   = ["urn:v1:eu:resource:vps:vps-1.example.net"]\n'

describe('a configuration is fixed and nothing else in it changes', () => {
  const around = identities + resources
  it.each([
    ['an item of a list on one line', `${around}  allow = ["vps:*", "vps:apisvc:get"]\n`, `${around}  allow = ["vps:*"]\n`],
    ['the first of several', `${around}  allow = ["vps:apisvc:get", "vps:*"] # x\n`, `${around}  allow = ["vps:*"] # x\n`],
    [
      'lines, with the comment behind the item',
      `${around}  allow = [\n    # all\n    "vps:*", # stays\n    "vps:apisvc:get", # goes\n  ]\n`,
      `${around}  allow = [\n    # all\n    "vps:*", # stays\n  ]\n`,
    ],
    [
      'the last line without its comma',
      `${around}  allow = [\n    "vps:*",\n    "vps:apisvc:get"\n  ]\n`,
      `${around}  allow = [\n    "vps:*"\n  ]\n`,
    ],
    ['an attribute', `${around}  allow   = ["vps:*"]\n  except  = []\n  // end\n`, `${around}  allow   = ["vps:*"]\n  // end\n`],
    ['odd layout stays', `${around}  allow=["vps:*"  ,"vps:apisvc:get"]\n`, `${around}  allow=["vps:*"]\n`],
  ])('%s', async (_, before, after) => {
    for (const newline of ['\n', '\r\n']) {
      const [from, to] = [before, after].map((each) =>
        `# head\nlocals { x = "$${'{'}1}" }\n\n${policy(each)}\n# foot`.replaceAll('\n', newline),
      )
      expect((await fix('main.tf', from as string)).text).toBe(to)
    }
  })

  it.each([
    ['what a local holds', `locals {\n  all = ["vps:*", "vps:apisvc:get"]\n}\n${policy(`${around}  allow = local.all\n`)}`],
    ['what a function is given', policy(`${around}  allow = concat(["vps:*"], ["vps:apisvc:get"])\n`)],
    ['what `for` makes', policy(`${around}  allow = [for x in ["*", "apisvc:get"] : "vps:\${x}"]\n`)],
    ['what is chosen', policy(`${around}  allow = true ? ["vps:*", "vps:apisvc:get"] : []\n`).replace('true', 'var.x')],
    ['comments of another kind in between', policy(`${around}  allow = ["vps:*", /* and */ "vps:apisvc:get"]\n`)],
    ['a default of a variable', `variable "v" {\n  default = ["vps:*", "vps:apisvc:get"]\n}\n${policy(`${around}  allow = var.v\n`)}`],
  ])('%s is left alone', async (_, text) => {
    for (const level of ['safe', 'suggested'] as const) expect((await fix('main.tf', text, level)).text).toBe(text)
  })

  it('texts are written as HCL has them', async () => {
    const text = policy(`${identities}${resources}  allow = ["vps:apisvc:gt"]\n`).replace(
      'name        = "web readers"',
      'name        = "$${x} \\"a\\""',
    )
    const fixed = await fix('main.tf', text, 'suggested')
    expect(fixed.text.replace(/allow = .*/, '')).toBe(text.replace(/allow = .*/, ''))
  })

  it('an instance for which an entry counts keeps it for all', async () => {
    const text = `resource "svc_iam_policy" "a" {
  for_each    = { all = "vps:*", some = "dns:*" }
  name        = "web \${each.key}"
  description = "x"
${identities}${resources}  allow       = [each.value, "vps:apisvc:get"]
}
`
    expect((await fix('main.tf', text)).text).toBe(text)
  })
})

describe('the examples of rules', () => {
  it('are fixed in HCL as in YAML, or not at all', async () => {
    const same: string[] = []
    const other: string[] = []
    const examples = rules.flatMap((rule) => examplesOf(rule.code).bad.map((example) => ({ rule, example })))
    for (const { rule, example } of some(examples, 12)) {
      const { exampleSet: source } = readExample(example)
      if (!/^[^.].*\.(json|yaml)$/.test(source.path) || source.path === 'baseline.json') continue
      const start = await read(source)
      if (start.read.diagnostics.some(({ severity }) => severity === 'error') || start.read.facts.policies.length === 0) continue
      const documents = documentsOf(source.path, source.text)
      const comments = source.path.endsWith('.yaml') ? commentsIn(source, documents) : []
      const { text } = converted({ documents, comments }, 'hcl', 'svc')
      if (text === undefined) continue
      for (const level of ['safe', 'suggested'] as const) {
        const yaml = await fix(source.path, source.text, level)
        if (yaml.count === 0) continue
        const hcl = await fix('main.tf', text, level)
        if (hcl.count === 0) {
          expect(hcl.text).toBe(text)
          other.push(`${rule.code} ${level}`)
          continue
        }
        const reading = hclReading(sourceOf('main.tf', hcl.text))
        expect(reading.diagnostics.filter(({ code }) => code === 'syntax')).toEqual([])
        const again = converted({ documents: documentsOf(source.path, yaml.text), comments: [] }, 'hcl', 'svc')
        const wanted = again.text === undefined ? '' : canonicalText(documentsOf('main.tf', again.text), new Map())
        const isSame = canonicalText(documentsOf('main.tf', hcl.text), new Map()) === wanted
        ;(isSame ? same : other).push(`${rule.code} ${level}`)
        // Comments and all lines without a fixed value are as they were.
        const lines = new Set(text.split('\n'))
        const fresh = hcl.text.split('\n').filter((line) => !lines.has(line))
        expect(fresh.length, hcl.text).toBeLessThanOrEqual(hcl.count + 1)
      }
    }
    // Where a whole block would go or move, and where the YAML says what HCL has no place for.
    const apart = [
      'condition-shape',
      'needless-nesting',
      'redundant-condition',
      'redundant-range',
      'server-field',
      'unknown-action',
      'unknown-protected-action',
    ]
    const found = [...new Set(other.map((each) => each.split(' ')[0]))].sort()
    expect(found).toEqual(isWhole ? apart : apart.filter((code) => found.includes(code)))
    // In a share of the examples there may be more than their share of these.
    if (isWhole) expect(other.length).toBeLessThan(20)
    expect(same.length).toBeGreaterThan(effort(66, 12))
  })
})
