import { printAddress } from '../conditions/address.ts'
import type { ProposedTest } from '../history/proposed-tests.ts'
import type { World } from '../policy.ts'
import { appendMaps, putText } from '../propose/insert.ts'
import { yamlFile } from '../propose/sync.ts'
import type { Source } from '../source.ts'
import type { Edits } from '../texts.ts'
import { field, type MapNode } from '../tree.ts'
import { Names } from './names.ts'

/** A test as a file of policy tests has it. */
export type TestFields = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>

/** Tests as fields, with names that no other test has. `at`: the time that the file gives to all of them. */
export function testFields(
  tests: readonly ProposedTest[],
  world: World,
  at: number | undefined,
  taken: Iterable<string> = [],
): readonly TestFields[] {
  const names = new Names([world])
  const used = new Set(taken)
  return tests.map(({ question, verdict }) => {
    const { identity, action, resource, groups, ip, tags, at: asked, owner } = question
    const time = asked === at ? undefined : new Date(asked).toISOString().replace('.000Z', 'Z')
    const address = ip && printAddress(ip)
    const verb = { allow: 'may', deny: 'may not', unknown: 'perhaps may' }[verdict]
    const facts = [
      ...(groups.length > 0 ? [`in ${groups.map((group) => names.identity(group)).join(' and ')}`] : []),
      ...(address === undefined ? [] : [`from ${address}`]),
      ...(tags ? [tags.size === 0 ? 'without tags' : `tagged ${[...tags].map(([key, value]) => `${key}=${value}`).join(' and ')}`] : []),
      ...(time === undefined ? [] : [`at ${time}`]),
    ]
    const words = [`${names.identity(identity)} ${verb} ${action} on ${names.resource(resource)}`, ...facts].join(', ')
    let name = words
    for (let count = 2; used.has(name); count++) name = `${words} (${count})`
    used.add(name)
    return {
      name,
      identity,
      ...(groups.length > 0 && { groups }),
      action,
      resource,
      ...(address !== undefined && { ip: address }),
      ...(tags && { tags: Object.fromEntries(tags) }),
      ...(time !== undefined && { at: time }),
      ...(owner !== undefined && { owner }),
      expect: verdict,
    }
  })
}

const caution =
  'Written by `grantwise test --write`: the verdicts are those of the policies at that time. Review them: a test that repeats a mistake hides it.'

/** A new file of policy tests, in YAML or JSON. */
export function newTestFile(tests: readonly TestFields[], at: number, isJson: boolean): string {
  const context = { at: new Date(at).toISOString().replace('.000Z', 'Z') }
  if (isJson) return `${JSON.stringify({ context, tests }, null, 2)}\n`
  return `# ${caution}\ncontext: { at: ${context.at} }\n${yamlFile({ tests })}`
}

/** Edits that add tests to a file of policy tests; undefined where its layout is not supported. */
export function addedTests(source: Source, document: MapNode, tests: readonly TestFields[]): Edits {
  const list = field(document, 'tests')
  if (list === undefined) return putText(document, 'tests', JSON.stringify(tests, null, 2).replaceAll('\n', '\n  '), source.notation)
  if (list.kind !== 'list') return undefined
  return appendMaps(list, tests)
}
