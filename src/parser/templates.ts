import { isCrossplaneGroup } from '../declared/attributes.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { type Settings, visible } from '../names.ts'
import type { Source } from '../source.ts'
import { field, type Node } from '../tree.ts'
import { holdsPolicies } from './policy.ts'
import { noFacts, type ReadPolicies } from './read.ts'
import { type Reading, shortened, syntaxError } from './reading.ts'

/**
 * Text templates that a program fills in before they are JSON or YAML. Their meaning is not known until then, even if they can be
 * read as they are: a branch may hold the deny, and a name may be anyone's.
 */
interface Template {
  readonly language: string
  readonly start: number
  readonly end: number
  /** The command that fills it in. */
  readonly help: string
}

interface Language {
  readonly name: string
  /** A sign that only this language has; matched within a tag. */
  readonly sign: RegExp
  readonly render: string
}

/** Tags that no value of ours holds, by how they open. The first language whose sign is in a tag of the text is named. */
const tags: readonly { readonly open: string; readonly close: string; readonly languages: readonly Language[] }[] = [
  {
    open: '${{',
    close: '}}',
    languages: [{ name: 'a workflow or scaffolder (`${{ … }}`)', sign: /^/, render: 'lint the file that it writes' }],
  },
  {
    open: '{%',
    close: '%}',
    languages: [{ name: 'Jinja', sign: /^/, render: 'lint what it renders: `jinja2 FILE VALUES | grantwise lint -`' }],
  },
  {
    open: '{{',
    close: '}}',
    languages: [
      {
        name: 'Helm',
        sign: /\.(?:Values|Release|Chart|Capabilities|Files|Template)\b|\b(?:include|tpl|toYaml|nindent|lookup)\b/,
        render: 'lint what it renders: `helm template . | grantwise lint -`',
      },
      {
        name: 'Go',
        sign: /^\{\{-?\s*(?:\.|\$|if\b|range\b|with\b|end\b|else\b|define\b|template\b|block\b|\/\*)/,
        render: 'lint what it renders, through `grantwise lint -`',
      },
      { name: 'Jinja, Ansible or Mustache', sign: /^/, render: 'lint what it renders, through `grantwise lint -`' },
    ],
  },
  {
    open: '<%',
    close: '%>',
    languages: [{ name: 'ERB', sign: /^/, render: 'lint what it renders: `erb FILE | grantwise lint -`' }],
  },
  {
    open: '%{',
    close: '}',
    languages: [
      {
        name: 'Terraform (`templatefile`)',
        sign: /^%\{~?\s*(?:if|for|else|endif|endfor)\b/,
        render: 'lint the configuration that calls `templatefile`',
      },
    ],
  },
]

/** Placeholders of single values, which may be in a text that can be read. */
const values: readonly Language[] = [
  {
    name: 'envsubst or a shell',
    sign: /\$\{[A-Za-z_][A-Za-z0-9_]*(?::?[-=?+][^{}]*)?\}/,
    render: 'lint what it writes: `envsubst < FILE | grantwise lint -`',
  },
  {
    name: 'a replacement of tokens (`@@…@@`)',
    sign: /@@[A-Za-z_][\w.-]*@@/,
    render: 'lint the file with the tokens replaced, through `grantwise lint -`',
  },
  {
    name: 'a replacement of tokens (`#{…}`)',
    sign: /#\{[A-Za-z_][\w.-]*\}#?/,
    render: 'lint the file with the tokens replaced, through `grantwise lint -`',
  },
  {
    name: 'Azure Pipelines or make (`$(…)`)',
    sign: /\$\([A-Za-z_][\w.-]*\)/,
    render: 'lint the file with the variables replaced, through `grantwise lint -`',
  },
]

/** How long a tag may be. */
const longest = 400
/** How many tags are looked at to find out which language it is. */
const most = 100

interface Tag {
  readonly start: number
  readonly end: number
  readonly open: string
  /** The place of its language among those of its kind: the lower, the more certain. */
  readonly rank: number
  readonly language: Language
}

/** The tags of a text, in order. */
function* tagsIn(text: string): Iterable<Tag> {
  const opening = /\$\{\{|\{%|\{\{|<%|%\{/g
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = match.index
    const { open, close, languages } = tags.find((each) => each.open === match?.[0]) as (typeof tags)[number]
    const length = text.slice(start, start + longest).indexOf(close, open.length)
    if (length < 0) continue
    const end = start + length + close.length
    const rank = languages.findIndex(({ sign }) => sign.test(text.slice(start, end)))
    if (rank >= 0) yield { start, end, open, rank, language: languages[rank] as Language }
  }
}

/** The template that a text is, by its tags; undefined where it has none. */
function taggedIn(text: string): Template | undefined {
  let first: Tag | undefined
  let surest: Tag | undefined
  let count = 0
  for (const tag of tagsIn(text)) {
    first ??= tag
    // Blocks of Jinja say more of the language than values do, which several languages write alike.
    if (tag.open === first.open ? !surest || tag.rank < surest.rank : tag.open === '{%' && first.open === '{{') surest = tag
    if ((surest?.rank === 0 && first.open !== '{{') || ++count >= most) break
  }
  return first && surest && { language: surest.language.name, start: first.start, end: first.end, help: surest.language.render }
}

/** Fields of prose: a placeholder in them does not make the rest a template. */
const prose: ReadonlySet<string> = new Set(['description', 'displayName', 'reason', 'tags', 'labels', 'annotations'])

/** The first text of documents, keys included, that a test finds something in. Nesting is within the limit of the readers. */
function firstIn<T>(
  nodes: readonly Node[],
  skipped: ReadonlySet<string>,
  test: (text: string, node: Node) => T | undefined,
): T | undefined {
  for (const node of nodes) {
    if (node.kind === 'text') {
      const inText = test(node.value.replace(parameter, ''), node)
      if (inText) return inText
    } else if (node.kind === 'list') {
      const inItems = firstIn(node.items, skipped, test)
      if (inItems) return inItems
    } else if (node.kind === 'map')
      for (const { key, value } of node.entries) {
        const inEntry = skipped.has(key.value) ? undefined : firstIn([key, value], skipped, test)
        if (inEntry) return inEntry
      }
  }
  return undefined
}

/** The template that a text is though it was read without trouble: one of its values is filled in. */
function filledIn(source: Source, documents: readonly Node[]): Template | undefined {
  return (
    firstIn(documents, prose, (text, node) => placed(source, node, text, taggedIn(text))) ??
    // A name is any text, and may hold such signs.
    firstIn(documents, new Set([...prose, 'name']), (text, node) => placed(source, node, text, substitutionIn(text)))
  )
}

function substitutionIn(text: string): Template | undefined {
  const language = values.find(({ sign }) => sign.test(text))
  return language && { language: language.name, help: language.render, ...placeOf(language, text) }
}

/** A placeholder in a value, at its place in the text. */
function placed(source: Source, node: Node, text: string, template: Template | undefined): Template | undefined {
  if (!template) return undefined
  const written = source.text.indexOf(text.slice(template.start, template.end), node.start)
  if (written < 0 || written >= node.end) return { ...template, start: node.start, end: node.end }
  return { ...template, start: written, end: written + template.end - template.start }
}

/** The notation of lists of actions for a parameter, which other rules report. */
const parameter = /\?(?:\{\{\w+\}\}|\$\{\w+\})$/

function placeOf({ sign }: Language, text: string) {
  const found = sign.exec(text) as RegExpExecArray
  return { start: found.index, end: found.index + found[0].length }
}

/** Directives in comments, which a template follows and YAML does not see. */
const inComment =
  /^[ \t]*#.*?(\{\{-?\s*(?:if|range|with|end|else|include|define|template)\b[^{}]*\}\}|\{%-?\s*(?:if|for|else|elif|endif|endfor|include|block)\b[^{}]*%\}|<%[^%]{0,100}%>)/m

/**
 * The one finding about a text that is a template; undefined where it is none. `isBroken`: it cannot be read as it is. `documents`:
 * what was read of it, where that is policies.
 */
function templateProblem(source: Source, isBroken: boolean, documents: readonly Node[]): Diagnostic | undefined {
  const { text, notation } = source
  if (notation !== 'json' && notation !== 'yaml') return undefined
  const directive = !isBroken && notation === 'yaml' && documents.length > 0 ? inComment.exec(text) : null
  const index = directive ? directive.index + directive[0].length - (directive[1] as string).length : 0
  const template = isBroken
    ? (taggedIn(text) ?? tokenIn(text))
    : (filledIn(source, documents) ?? (directive ? moved(taggedIn(text.slice(index, index + longest)), index) : undefined))
  if (!template) return undefined
  return syntaxError(
    source,
    template.start,
    template.end,
    `a template of ${template.language}, \`${visible(shortened(text.slice(template.start, template.end).replace(/\s+/g, ' ')))}\`: what it grants is not known until it is filled in`,
    template.help,
  )
}

function moved(template: Template | undefined, by: number): Template | undefined {
  return template && { ...template, start: template.start + by, end: template.end + by }
}

/** A token that YAML cannot read where a value begins. */
function tokenIn(text: string): Template | undefined {
  const match = /@@(?<=[:[,-]\s*@@)[A-Za-z_][\w.-]*@@/.exec(text)
  const [, language] = values
  return match && language
    ? { language: language.name, help: language.render, start: match.index, end: match.index + match[0].length }
    : undefined
}

/** Whether a template mentions policies: one of anything else is skipped. */
function mentionsPolicies(text: string, brand: string): boolean {
  return (
    text.includes('urn:v1:') ||
    [...text.matchAll(/^[ \t]*apiVersion:[ \t]*["']?([\w./-]+)/gm)].some(([, group = '']) => isCrossplaneGroup(group, brand))
  )
}

/** The reading of a template: nothing in it is known, and that is its only problem. Undefined for a text that is none. */
export function readTemplate(source: Source, { documents, diagnostics }: Reading, { brand }: Settings): ReadPolicies | undefined {
  const isBroken = diagnostics.some(({ code, severity }) => code === 'syntax' && severity === 'error')
  const mentionsGrants = mentionsPolicies(source.text, brand)
  const held = documents.filter((each) => holdsPolicies(each) || (mentionsGrants && each.kind === 'map' && field(each, 'apiVersion')))
  const problem = templateProblem(source, isBroken, held)
  if (!problem) return undefined
  const holds = mentionsGrants || held.length > 0
  return {
    kind: 'policies',
    facts: noFacts,
    diagnostics: [problem],
    refused: false,
    holdsPolicies: holds,
    resemblesPolicies: holds,
    isTemplate: true,
    ignores: [],
  }
}
