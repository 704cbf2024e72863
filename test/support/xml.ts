/** An element of an XML document that was read. `text` is what is in it directly, without blanks around it. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Read an XML 1.0 document of elements, attributes and text: no comments, no document type, no CDATA. Throws at the first
 * thing that is not well-formed: every rule of the standard that such a document could break is checked.
 */
export function parseXml(document: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
  if (!document.startsWith(declaration)) throw new Error('no declaration')
  const illegal = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.exec(document)
  if (illegal) throw new Error(`illegal character ${illegal[0].codePointAt(0)}`)
  let at = declaration.length
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = []
  let root: Element | undefined
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${document.slice(at, at + 40)}`)
  }
  const match = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at
    const found = expression.exec(document)
    if (found) at += found[0].length
    return found ?? undefined
  }
  const close = (name: string) => {
    const element = open.pop() ?? fail('closing tag without an opening one')
    if (element.name !== name) fail(`</${name}> closes <${element.name}>`)
    const done = { ...element, text: element.text.trim() }
    const parent = open.at(-1)
    if (parent) parent.children.push(done)
    else if (root) fail('a second root')
    else root = done
  }
  while (at < document.length) {
    const closing = match(/<\/([A-Za-z][\w:]*)>/y)
    if (closing) {
      close(closing[1] as string)
      continue
    }
    const opening = match(/<([A-Za-z][\w:]*)/y)
    if (opening) {
      if (root) fail('an element behind the root')
      const attributes: Record<string, string> = {}
      for (let found = match(/ ([A-Za-z][\w:.-]*)="([^"<]*)"/y); found; found = match(/ ([A-Za-z][\w:.-]*)="([^"<]*)"/y)) {
        const [, name = '', value = ''] = found
        if (name in attributes) fail(`attribute ${name} is given twice`)
        if (/[\t\r\n]/.test(value)) fail(`attribute ${name} holds a blank that is read as another`)
        attributes[name] = resolve(value)
      }
      const end = match(/(\/?)>/y) ?? fail('a tag that does not end')
      open.push({ name: opening[1] as string, attributes, children: [], text: '' })
      if (end[1] === '/') close(opening[1] as string)
      continue
    }
    const text = (match(/[^<]+/y) ?? fail('neither a tag nor text'))[0]
    if (text.includes(']]>')) fail('`]]>` in text')
    const parent = open.at(-1)
    if (parent) parent.text += resolve(text.replace(/\r\n?/g, '\n'))
    else if (text.trim() !== '') fail('text outside of the root')
  }
  if (open.length > 0) throw new Error('not closed')
  return root ?? fail('no root')
}

function resolve(text: string): string {
  return text.replace(/&(?:#([0-9]+);|([a-z]+);)?/g, (whole, number: string | undefined, name: string | undefined) => {
    const character = number !== undefined ? String.fromCodePoint(Number(number)) : named[name ?? '']
    if (character === undefined || !isLegal(character)) throw new Error(`not a reference: ${whole}`)
    return character
  })
}

function isLegal(character: string): boolean {
  return /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]$/u.test(character)
}
