import { inside, type Located } from '../../source.ts'
import type { Finding, Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

/** Placeholders of examples and templates. */
export const placeholders: readonly RegExp[] = [
  /<[A-Za-z][^<>]{0,60}>/,
  /\{\{[^{}]{0,60}\}\}/,
  /\$\{[^{}]{0,60}\}/,
  /\{[A-Za-z][\w.-]{0,60}\}/,
  /\$[A-Z][A-Z0-9_]{2,}/,
  /%[sv](?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:YOUR|MY|THE)[_-][A-Z0-9_-]+/,
  /(?<![A-Za-z0-9])your[_-](?:account|project|client|user|login|zone|domain|service|resource|nic|okms|urn)(?:[_-]?(?:id|name|handle))?(?![A-Za-z0-9.-])/,
  /(?<![A-Za-z0-9])my[_-](?:account|project|client|user|login|zone|domain|service|resource|nic|okms|urn)[_-](?:id|name|handle)(?![A-Za-z0-9.-])/,
  /(?<![A-Za-z0-9])(?:CHANGE_?ME|REPLACE_?ME|PLACEHOLDER|TODO|FIXME)(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:x{4,}|X{4,})(?:-(?:x{4,}|X{4,}))*(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])0{8}-0{4}-0{4}-0{4}-0{12}(?![A-Za-z0-9])/,
]

/** In documents, placeholders are intended. */
const document = /\.(?:md|markdown|mdx)$/i

export const placeholderInUrn: Rule = {
  code: 'placeholder-in-urn',
  section: 'document',
  severity: 'warning',
  precision: 'very-high',
  summary: 'A placeholder in a URN.',
  why:
    '`<account_id>`, `{projectId}`, `YOUR_CLIENT_ID` and `xxxxxxxx` come from examples and templates. Nothing real has such a name, so ' +
    'the entry neither grants nor denies anything on what exists. Replace the placeholder. Examples in Markdown are not reported.',
  needs: 'sign',
  *policy({ identities, resources, permissionsGroups }) {
    for (const list of [identities, resources, permissionsGroups])
      for (const { value, span } of list) yield* placeholderIn({ value: value.text, span })
  },
}

function* placeholderIn(urn: Located<string>): Iterable<Finding> {
  if (document.test(urn.span.source.path)) return
  const placeholder = firstOf(urn.value)
  if (!placeholder) return
  yield {
    span: inside(urn, placeholder.index, placeholder.index + placeholder[0].length),
    message: `${quote(placeholder[0])} is a placeholder: until it is replaced, the entry means nothing that exists`,
    help: 'replace it with the actual name',
  }
}

function firstOf(text: string): RegExpExecArray | undefined {
  for (const placeholder of placeholders) {
    const match = placeholder.exec(text)
    if (match) return match
  }
  return undefined
}
