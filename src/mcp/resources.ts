import { compareText } from '../diagnostic.ts'
import { rules } from '../rules/index.ts'

/** The pages of the documentation, as the package has them. */
export interface Documents {
  /** Their names below the folder of the documentation, without `.md`. */
  readonly names: readonly string[]
  /** The text of one of these; undefined where it cannot be read. */
  readonly read: (name: string) => string | undefined
}

const [ruleList, rulePrefix, pagePrefix] = ['grantwise://rules', 'grantwise://rules/', 'grantwise://docs/']

/** The name of a page, its first heading. */
function titleOf(text: string | undefined, name: string): string {
  return /^# (.+)$/m.exec(text ?? '')?.[1] ?? name
}

/** Every resource: the list of rules, the page of each rule, and the pages of the documentation. */
export function resourceEntries({ names, read }: Documents) {
  const mimeType = 'text/markdown'
  const pages = names
    .filter((name) => !name.includes('/') && name !== 'rules')
    .map((name) => ({ uri: `${pagePrefix}${name}`, name, title: titleOf(read(name), name), mimeType }))
  return [
    { uri: ruleList, name: 'rules', title: 'Lint rules', description: 'Every rule with its severity and what it finds.', mimeType },
    ...pages,
    ...[...rules]
      .sort((a, b) => compareText(a.code, b.code))
      .map(({ code, summary }) => ({ uri: `${rulePrefix}${code}`, name: code, title: `Rule ${code}`, description: summary, mimeType })),
  ]
}

/** Where the pages of rules and of the documentation are. */
export const resourceTemplates = [
  {
    uriTemplate: `${rulePrefix}{code}`,
    name: 'rule',
    title: 'A lint rule',
    description: 'Why a rule exists, with examples.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: `${pagePrefix}{name}`,
    name: 'page',
    title: 'A page of the documentation',
    description: 'For example `semantics`: what policies mean.',
    mimeType: 'text/markdown',
  },
]

/** The text of a resource; undefined where there is none. Only pages that are there are read. */
export function readDocument(uri: string, { names, read }: Documents): string | undefined {
  const name =
    uri === ruleList
      ? 'rules'
      : uri.startsWith(rulePrefix)
        ? `rules/${uri.slice(rulePrefix.length)}`
        : uri.startsWith(pagePrefix)
          ? uri.slice(pagePrefix.length)
          : undefined
  return name !== undefined && names.includes(name) ? read(name) : undefined
}

/** The names that complete a template of resources. */
export function completionsOf(template: string, start: string, { names }: Documents): readonly string[] {
  const all =
    template === `${rulePrefix}{code}`
      ? rules.map(({ code }) => code)
      : template === `${pagePrefix}{name}`
        ? names.filter((name) => !name.includes('/') && name !== 'rules')
        : []
  return all.filter((name) => name.startsWith(start)).sort(compareText)
}
