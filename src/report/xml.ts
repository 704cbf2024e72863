/**
 * A text as it is written in XML, in an attribute or between tags. Read back it is the same text, but for characters that no
 * XML 1.0 document can hold, however they are written: those become `\u{…}`. What could act on a terminal or on a build
 * server, were the document shown there, is written as its number.
 */
export const xml = (text: string): string =>
  text
    .replace(/[&<>"']/g, reference)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, (c) => (isLegal(c.codePointAt(0) as number) ? reference(c) : escaped(c)))
    .replace(/##(vso)?\[/gi, '##$1&#91;')

/** An element with its attributes, in the order given, and what is in it, which is XML already. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(String(value))}"`)
  return `<${name}${written.join('')}${content === '' ? '/>' : `>${content}</${name}>`}\n`
}

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

const reference = (character: string): string => `&#${character.codePointAt(0)};`

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) as number).toString(16)}}`

/** Whether XML 1.0 can hold a character at all (its section 2.2). */
function isLegal(point: number): boolean {
  if (point < 0x20) return point === 0x09 || point === 0x0a || point === 0x0d
  return point < 0xd800 || (point > 0xdfff && point !== 0xfffe && point !== 0xffff)
}

/** A case of a JUnit report, and what became of it where it did not pass. */
export interface JunitCase {
  readonly name: string
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped'
    readonly type?: string
    readonly message: string
    readonly text?: string
  }
}

/** A JUnit report. Elements and attributes are those of the schema by which build servers check such reports (`junit-10.xsd`). */
export function junit(suites: readonly { readonly path: string; readonly cases: readonly JunitCase[] }[]): string {
  const written = suites.map(({ path, cases }) => {
    const caseElements = cases.map(({ name, result: { kind, text = '', ...attributes } = { kind: 'passed' } }) =>
      element('testcase', { name, classname: path, time: 0 }, kind === 'passed' ? '' : `\n${element(kind, attributes, xml(text))}`),
    )
    const attributes = { name: path, ...counts(cases), skipped: countOf(cases, 'skipped'), time: 0, file: path }
    return element('testsuite', attributes, `\n${caseElements.join('')}`)
  })
  const all = suites.flatMap(({ cases }) => cases)
  return `${declaration}${element('testsuites', { name: 'grantwise', ...counts(all), time: 0 }, `\n${written.join('')}`)}`
}

const countOf = (cases: readonly JunitCase[], kind: string) => cases.filter(({ result }) => result?.kind === kind).length

const counts = (cases: readonly JunitCase[]) => ({
  tests: cases.length,
  failures: countOf(cases, 'failure'),
  errors: countOf(cases, 'error'),
})
