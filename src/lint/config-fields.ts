import type { Diagnostic, OwnCode, Severity } from '../diagnostic.ts'
import { folderOf, pathFrom } from '../hcl/paths.ts'
import { type Settings, visible } from '../names.ts'
import type { Located, Span } from '../source.ts'
import { field, type MapNode, type Node, plainValue } from '../tree.ts'
import type { Configuration, FailOn, GuardrailText, Ignore, Level, Patterns, RuleLevel } from './config.ts'
import { globFault, searchFault } from './globs.ts'

/** The content of one file, without defaults. */
export interface OwnConfiguration extends Omit<Configuration, 'settings' | 'guardrails'> {
  readonly guardrails: readonly GuardrailText[]
  readonly given: Partial<Settings>
}

/** Reports a problem at its place. */
export type Report = (span: Span, message: string, help?: string) => void

export function configProblem(span: Span, message: string, help?: string): Diagnostic {
  return { code: 'config', severity: 'error', message: visible(message), span, ...(help !== undefined && { help: visible(help) }) }
}

/** An empty configuration. */
export function emptyConfiguration(file: string): OwnConfiguration {
  return {
    folder: folderOf(file),
    places: new Map(),
    files: [],
    given: {},
    policies: undefined,
    world: undefined,
    catalogue: undefined,
    layers: [],
    overrides: [],
    ignores: [],
    guardrails: [],
    ruleModules: [],
    failOn: undefined,
    approvers: undefined,
    docs: undefined,
  }
}

/**
 * The content of a file; `node` has the shape of the schema. `folder`: the base of its patterns and its `policies`; not the
 * file's folder for a file of a package.
 */
export function readFields(node: MapNode, file: string, folder: string, report: Report): OwnConfiguration {
  const configuration = { ...emptyConfiguration(file), folder }
  const home = folderOf(file)
  const path = (text: string) => pathFrom(home, text)
  const paths = (key: string, from: string) => field(node, key) && textsOf(field(node, key)).map((text) => pathFrom(from, text.value))
  const rules = field(node, 'rules')
  const catalogue = field(node, 'catalogue')
  const docs = field(node, 'docs')
  const approvers = field(node, 'approvers')
  const fallback = approvers?.kind === 'map' ? field(approvers, 'fallback') : undefined
  return {
    ...configuration,
    files: [node.source.path],
    places: new Map(node.entries.map(({ key }) => [key.value, key])),
    given: settingsIn(node),
    policies: policiesIn(field(node, 'policies'), folder, report),
    world: paths('world', home),
    catalogue: catalogue && { value: path(textOf(catalogue) ?? ''), span: catalogue },
    layers: rules ? [{ rules: rulesOf(rules) }] : [],
    overrides: itemsOf(field(node, 'overrides')).map((item) => ({
      files: patternsOf(item, configuration.folder, report),
      rules: rulesOf(field(item, 'rules')),
    })),
    ignores: itemsOf(field(node, 'ignores')).map((item) => ({
      ...ignoreOf(item, folder, report),
      ...(folder !== home && { isShared: true as const }),
    })),
    guardrails: guardrailsOf(itemsOf(field(node, 'guardrails')), report),
    ruleModules: textsOf(field(node, 'ruleModules')).map((name) => ({ name, folder: home })),
    failOn: textOf(field(node, 'failOn')) as FailOn | undefined,
    approvers: fallback && textsOf(fallback).map(({ value }) => value),
    docs: docs && addressOf(docs, report),
  }
}

/** The paths of policies: those that cannot be used as patterns are reported, and left out. */
function policiesIn(node: Node | undefined, folder: string, report: Report): readonly string[] | undefined {
  return (
    node &&
    textsOf(node).flatMap(({ value, span }) => {
      const fault = searchFault(value)
      if (fault) report(span, fault.message, fault.help)
      return fault ? [] : [pathFrom(folder, value)]
    })
  )
}

function settingsIn(node: MapNode): Partial<Settings> {
  const brand = textOf(field(node, 'brand'))
  const headerPrefix = textOf(field(node, 'headerPrefix'))
  const regions = field(node, 'regions')
  const terraform = field(node, 'terraform')
  const inTerraform = (key: string) => (terraform?.kind === 'map' ? field(terraform, key) : undefined)
  const resourcePrefix = textOf(inTerraform('prefix'))
  const withoutPolicies = inTerraform('modulesWithoutPolicies')
  const program = textOf(inTerraform('program'))
  const deployment = field(node, 'deployment')
  const inDeployment = (key: string) => (deployment?.kind === 'map' ? field(deployment, key) : undefined)
  const [ignored, strict] = [inDeployment('ignore'), inDeployment('strict')]
  return {
    ...(brand !== undefined && { brand }),
    ...(regions && { regions: textsOf(regions).map((text) => text.value) }),
    ...(resourcePrefix !== undefined && { resourcePrefix }),
    ...(withoutPolicies && { modulesWithoutPolicies: textsOf(withoutPolicies).map((text) => text.value) }),
    ...((program === 'terraform' || program === 'opentofu') && { program }),
    ...(ignored && { notDeploying: textsOf(ignored).map((text) => text.value) }),
    ...(strict?.kind === 'boolean' && { strictDeployment: strict.value }),
    ...(headerPrefix !== undefined && { headerPrefix }),
  }
}

/** An address that links can begin with; without a slash at its end. */
function addressOf(node: Node, report: Report): string | undefined {
  const text = textOf(node) ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url.href.replace(/\/+$/, '')
  report(node, `\`${text}\` is not a URL that links can start with`, 'write it as `https://docs.example.org/grantwise`')
  return undefined
}

function rulesOf(map: Node | undefined): readonly RuleLevel[] {
  return (map?.kind === 'map' ? map.entries : []).map(({ key, value }) => {
    const [level, options] = value.kind === 'list' ? value.items : [value]
    return {
      code: { value: key.value, span: key },
      level: (textOf(level) ?? 'warning') as Level,
      options: options && { value: plainValue(options) as Readonly<Record<string, unknown>>, node: options },
    }
  })
}

function ignoreOf(item: MapNode, folder: string, report: Report): Ignore {
  const until = field(item, 'until')
  const day = until && endOfDay(textOf(until) ?? '')
  if (until && day === undefined) report(until, 'expected a day', 'write it as `2027-01-31`')
  return {
    files: patternsOf(item, folder, report),
    codes: textsOf(field(item, 'codes')),
    policy: textOf(field(item, 'policy')),
    reason: textOf(field(item, 'reason')) ?? '',
    until: until && day !== undefined ? { value: day, span: until } : undefined,
    span: item,
  }
}

const guardrailKinds = ['never', 'only', 'always', 'requires', 'separate'] as const

function guardrailsOf(items: readonly MapNode[], report: Report): readonly GuardrailText[] {
  const read = items.flatMap((item) => guardrailOf(item, report))
  for (const [i, { code }] of read.entries())
    if (read.findIndex((each) => each.code.value === code.value) < i)
      report(code.span, `another guardrail has the code \`${code.value}\``, 'give each its own code')
  return read
}

function guardrailOf(item: MapNode, report: Report): readonly GuardrailText[] {
  const code = field(item, 'code')
  const kinds = guardrailKinds.filter((each) => field(item, each) !== undefined)
  const [kind, second] = kinds
  const body = kind && field(item, kind)
  if (second !== undefined) {
    const claimNode = item.entries.find(({ key }) => key.value === second)?.key ?? item
    report(claimNode, `\`${kind}\` and \`${second}\` in one guardrail`, 'give each a separate guardrail')
  }
  const link = field(item, 'link')
  const address = textOf(link)
  if (link && (address === undefined || !URL.canParse(address)))
    report(link, `\`${address ?? ''}\` is not a URL`, 'write it as `https://wiki.example.org/iam`')
  if (!kind || !code || body?.kind !== 'map') return []
  return [
    {
      code: { value: textOf(code) as OwnCode, span: code },
      message: textOf(field(item, 'message')) ?? '',
      severity: (textOf(field(item, 'severity')) ?? 'error') as Severity,
      help: textOf(field(item, 'help')),
      link: address,
      kind,
      body,
    },
  ]
}

function patternsOf(item: MapNode, folder: string, report: Report): Patterns {
  const files = textsOf(field(item, 'files'))
  for (const { value, span } of files) {
    const fault = globFault(value)
    if (fault) report(span, `\`${value}\` matches no file: ${fault.message}`, fault.help)
  }
  return { folder, patterns: files.map((file) => file.value) }
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'text' ? node.value : undefined
}

/** A string or a list of strings. */
export function textsOf(node: Node | undefined): readonly Located<string>[] {
  if (node?.kind === 'text') return [{ value: node.value, span: node }]
  return node?.kind === 'list' ? node.items.flatMap((item) => textsOf(item)) : []
}

function itemsOf(node: Node | undefined): readonly MapNode[] {
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'map') : []
}

function endOfDay(text: string): number | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(text) ? undefined : start + 86_400_000 - 1
}
