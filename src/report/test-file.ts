import { printAddress } from '../conditions/address.ts'
import type { ProposedTest } from '../history/proposed-tests.ts'
import type { World } from '../policy.ts'
import { appendMaps, putLines, putText } from '../propose/insert.ts'
import { yamlFile } from '../propose/sync.ts'
import type { Source } from '../source.ts'
import type { UsualContext } from '../suite/suite.ts'
import type { Edits } from '../texts.ts'
import { field, type MapNode } from '../tree.ts'
import { Names } from './names.ts'

/** A test as a file of policy tests has it. */
export type TestFields = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>

/** Tests as fields, with names that no other test has. `usual`: the facts that the file gives to all of them. */
export function testFields(
  tests: readonly ProposedTest[],
  world: World,
  usual: UsualContext,
  taken: Iterable<string> = [],
): readonly TestFields[] {
  const names = new Names([world])
  const used = new Set(taken)
  return tests.map(({ question, verdict, reason }) => {
    const { identity, action, resource, groups, ip, tags, at, owner } = question
    const time = at === usual.at ? undefined : timeText(at)
    const address = ip && printAddress(ip)
    const isUsualAddress = ip === usual.ip
    const verb = { allow: 'may', deny: 'may not', unknown: 'perhaps may' }[verdict]
    const facts = [
      ...(groups.length > 0 ? [`in ${groups.map((group) => names.identity(group)).join(' and ')}`] : []),
      ...(address === undefined || isUsualAddress ? [] : [`from ${address}`]),
      ...(tags && tags !== usual.tags
        ? [tags.size === 0 ? 'without tags' : `tagged ${[...tags].map(([key, value]) => `${key}=${value}`).join(' and ')}`]
        : []),
      ...(time === undefined ? [] : [`at ${time}`]),
    ]
    const words = [`${names.identity(identity)} ${verb} ${action} on ${names.resource(resource)}`, ...facts].join(', ')
    let name = words
    for (let count = 2; used.has(name); count++) name = `${words} (${count})`
    used.add(name)
    return {
      name,
      identity,
      ...((groups.length > 0 || usual.groups.length > 0) && { groups }),
      action,
      resource,
      ...(address !== undefined && !isUsualAddress && { ip: address }),
      ...(tags && tags !== usual.tags && { tags: Object.fromEntries(tags) }),
      ...(time !== undefined && { at: time }),
      ...(owner !== undefined && owner !== usual.owner && { owner }),
      expect: verdict,
      ...(reason !== undefined && { reason }),
    }
  })
}

/** The lines that say how the tests came about: they are for who reviews them, and for who reads them later. */
const caution = [
  'Written by `grantwise test --write`: the expected verdicts are those that the policies gave at that time. Review each:',
  'a test that is derived from the policies holds what they do, and does not show that this is what they should do.',
]
const comment = caution.map((line) => `# ${line}`)

/** The part of a new file that counts for all its tests. */
export interface TestFileHead {
  /** As the file names them; undefined: those of the run. */
  readonly policies: readonly string[] | undefined
  readonly at: number
}

/** A new file of policy tests, in YAML or JSON. */
export function newTestFile(tests: readonly TestFields[], { policies, at }: TestFileHead, isJson: boolean): string {
  const context = { at: timeText(at) }
  const about = policies && { policies: policies.length === 1 ? (policies[0] as string) : policies }
  if (isJson) return `${JSON.stringify({ ...about, context, tests }, null, 2)}\n`
  return `${[...comment, ...(about ? [yamlFile(about).trimEnd()] : [])].join('\n')}\ncontext: { at: ${context.at} }\n${yamlFile({ tests })}`
}

const timeText = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

/** Edits that add tests to a file of policy tests; undefined where its layout is not supported. */
export function addedTests(source: Source, document: MapNode, tests: readonly TestFields[]): Edits {
  const list = field(document, 'tests')
  const block = yamlFile({ tests }).trimEnd().split('\n')
  const isBlock = source.text[document.start] !== '{'
  if (list === undefined) {
    const last = document.entries.at(-1)
    if (isBlock && last)
      return putLines(document, last.value, [block[0] as string, ...comment.map((line) => `  ${line}`), ...block.slice(1)])
    return putText(document, 'tests', JSON.stringify(tests, null, 2).replaceAll('\n', '\n  '), source.notation)
  }
  if (list.kind !== 'list') return undefined
  const linesOf = (fields: TestFields) => [
    ...(fields === tests[0] ? comment : []),
    ...yamlFile({ tests: [fields] })
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(2)),
  ]
  return appendMaps(list, tests, (fields) => linesOf(fields as TestFields))
}
