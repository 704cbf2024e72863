import { readActionPattern } from '../actions/action.ts'
import { madeIn } from '../collections.ts'
import { isPattern } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { longestName } from '../names.ts'
import { limits } from '../parser/limits.ts'
import type { Policy } from '../policy.ts'
import { signs } from '../rules/rule.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'

/** A policy of the usual form, without the names of its resources. */
export class Form {
  readonly name: string
  readonly isDescribed: boolean
  /** The first of its identities in the order of strings. */
  readonly firstIdentity: string
  readonly terms: Terms

  constructor(name: string, isDescribed: boolean, firstIdentity: string, terms: Terms) {
    this.name = name
    this.isDescribed = isDescribed
    this.firstIdentity = firstIdentity
    this.terms = terms
  }
}

/** The parts that many policies have in common: one object for all that have the same. Each list has a text once. */
export interface Terms {
  readonly actions: readonly string[]
  readonly types: readonly string[]
  readonly regions: readonly string[]
  readonly accounts: readonly string[]
}

/** The text of a URN up to its name, and what it says. */
interface Head {
  readonly text: string
  readonly region: string
  /** The type of a resource, or the account of an identity. */
  readonly owner: string
}

/** The two kinds of lists of names, with what lists had so far. */
interface Kind {
  readonly isInObjects: boolean
  readonly headOf: (urn: string) => Head | undefined
  readonly heads: Map<string, Head>
  last: Head | undefined
  /** The bytes between the last two names, from the quote after the first, and the head that they end with: most files have one layout. */
  gap: Uint8Array
  gapHead: Head | undefined
}

const [quote, backslash, comma, minus, colon, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 44, 45, 58, 91, 93, 123, 125]
/** The fields of a policy of the usual form, and which of them are what. */
const fieldKeys = ['"name"', '"description"', '"identities"', '"resources"', '"permissions"']
const [nameField, descriptionField, resourcesField] = [0, 1, 3]
const [lowerR, lowerY] = [114, 121]

/** The characters of plain names: 1 for most, 2 for those that a placeholder may be written with, 0 for all others. */
const nameCharacters = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9.:/+-]/.test(character) ? 1 : /[A-Z_@]/.test(character) ? 2 : 0
})

const plainHead = /^[\w.:/+-]+$/

/** How often a character may be repeated in a name that is certainly no placeholder. */
const mostRepeated = 3

/** A list of actions in objects as JSON, without patterns and escapes. */
const actionList =
  /^\[(?:[ \t\r\n]*\{[ \t\r\n]*"action"[ \t\r\n]*:[ \t\r\n]*"[\w:./-]+"[ \t\r\n]*\}[ \t\r\n]*(?:,(?![ \t\r\n]*\])|(?=\])))+\]$/

/** A title of a policy with which nothing is wrong. Texts that templates are written with are left to the reader of these. */
const plainName = /^[!-~](?:[ -~]{0,253}[!-~])?$/
const templateSigns = /[{%$#@<]/

/**
 * Reads policies of the usual form: names of users, of resources and of actions, without patterns, conditions and denies, each once, and
 * a name with which nothing is wrong. Of JSON it reads them in one pass and without a tree. What is not certainly of this form is left to the
 * readers of whole files. An object is for one run, since it keeps what policies have in common.
 */
export class UsualForm {
  private readonly brand: string
  private text = ''
  private at = 0
  /** The text as bytes, which are read in a third of the time, with a zero at the end. */
  private bytes = new Uint8Array(2 ** 14)
  private readonly encoder = new TextEncoder()
  private readonly identity: Kind = kindOf(false, headOfIdentity)
  private readonly resource: Kind = kindOf(true, headOfResource)
  /** By their text as it is written; undefined where it is not of the usual form. */
  private readonly written = new Map<string, readonly string[] | undefined>()
  private readonly lists = new Map<string, readonly string[]>()
  private readonly terms = new Map<readonly string[], Map<string, Terms>>()
  /** The same for policies of which all identities have one head, and all resources. */
  private readonly termsOfOne = new Map<readonly string[], Map<Head, Map<Head, Terms>>>()

  constructor(brand: string) {
    this.brand = brand
  }

  /** The form of the only policy in a text of JSON; undefined where it is not certain that the text holds just one of this form. */
  read(text: string): Form | undefined {
    if (text.length > limits.jsonLength) return undefined
    if (text.length >= this.bytes.length) this.bytes = new Uint8Array(2 * text.length)
    const { read } = this.encoder.encodeInto(text, this.bytes)
    // Of other text than ASCII there may be more bytes than there is room for.
    if (read < text.length) return undefined
    this.bytes[text.length] = 0
    this.text = text
    this.at = 0
    const form = this.policy()
    return form && this.next() === 0 && this.at === text.length ? form : undefined
  }

  /** The form of a policy that has no other fields than those of this form. */
  of({ name, description, identities, resources, permissions: { allow } }: Policy): Form | undefined {
    const users = identities.map(({ value }) => value.text)
    const actions = allow.map(({ value }) => value.text)
    const isUsual =
      plainName.test(name.value) &&
      isListOnce(users) &&
      isListOnce(resources.map(({ value }) => value.text)) &&
      isListOnce(actions) &&
      identities.every(({ value }) => isUser(value.kind) && isPlain(value.glob)) &&
      resources.every(({ value }) => value.kind === 'resource' && value.type !== 'account' && isPlain(value.glob)) &&
      allow.every(({ value }) => isPlain(value))
    if (!isUsual) return undefined
    const sameActions = this.sameList(actions)
    const ofIdentities = identities.map(({ value: { region, account = '' } }) => ({ region, owner: account }))
    const ofResources = resources.map(({ value }) => ({ region: value.region, owner: value.kind === 'resource' ? value.type : '' }))
    return new Form(name.value, description !== undefined, lowest(users), this.termsOf(sameActions, ofIdentities, ofResources))
  }

  private termsOf(
    actions: readonly string[],
    identities: readonly Pick<Head, 'region' | 'owner'>[],
    resources: readonly Pick<Head, 'region' | 'owner'>[],
  ): Terms {
    const once = (names: readonly string[]) => [...new Set(names)].sort()
    const regions = once([...identities, ...resources].map(({ region }) => region))
    const accounts = once(identities.map(({ owner }) => owner))
    const types = once(resources.map(({ owner }) => owner))
    const ofActions = madeIn(this.terms, actions, () => new Map<string, Terms>())
    return madeIn(ofActions, keyOf(regions, accounts, types), () => ({ actions, types, regions, accounts }))
  }

  private termsOfHeads(actions: readonly string[], identities: readonly Head[], resources: readonly Head[]): Terms {
    const [user, resource] = [identities[0] as Head, resources[0] as Head]
    if (identities.length + resources.length > 2) return this.termsOf(actions, identities, resources)
    const ofUser = madeIn(
      madeIn(this.termsOfOne, actions, () => new Map<Head, Map<Head, Terms>>()),
      user,
      () => new Map<Head, Terms>(),
    )
    return madeIn(ofUser, resource, () => this.termsOf(actions, identities, resources))
  }

  private policy(): Form | undefined {
    if (!this.passes(openBrace)) return undefined
    const { text } = this
    let name: string | undefined
    let users: NameList | undefined
    let resources: NameList | undefined
    let actions: readonly string[] | undefined
    let fieldsRead = 0
    do {
      if (this.next() !== quote) return undefined
      let field = 0
      while (field < fieldKeys.length && !text.startsWith(fieldKeys[field] as string, this.at)) field++
      // Each field is there once.
      if (field === fieldKeys.length || (fieldsRead & (1 << field)) !== 0) return undefined
      fieldsRead |= 1 << field
      this.at += (fieldKeys[field] as string).length
      if (!this.passes(colon)) return undefined
      if (field <= descriptionField) {
        const value = this.plainText()
        if (value === undefined) return undefined
        if (field === nameField) name = value
      } else if (field <= resourcesField) {
        const list = this.names(field === resourcesField ? this.resource : this.identity)
        if (!list) return undefined
        if (field === resourcesField) resources = list
        else users = list
      } else actions = this.allowed()
    } while (this.passes(comma))
    if (!this.passes(closeBrace) || name === undefined || !plainName.test(name) || !users || !resources || !actions) return undefined
    const isDescribed = (fieldsRead & (1 << descriptionField)) !== 0
    // An object of a class: of literals that live long, V8 throws the compiled function away and compiles it again.
    return new Form(name, isDescribed, users.first, this.termsOfHeads(actions, users.heads, resources.heads))
  }

  /** Passes blanks. The code of the character that follows, 0 at the end. */
  private next(): number {
    const { bytes } = this
    let i = this.at
    let c = bytes[i] as number
    while (c === 32 || c === 10 || c === 13 || c === 9) c = bytes[++i] as number
    this.at = i
    return c
  }

  /** Whether a character comes next, which is then passed. */
  private passes(character: number): boolean {
    if (this.next() !== character) return false
    this.at++
    return true
  }

  /** Whether a key and its colon are here, which are then passed. */
  private passesKey(key: string): boolean {
    if (!this.text.startsWith(key, this.at)) return false
    this.at += key.length
    return this.passes(colon)
  }

  /** A text of ASCII without escapes and without signs of templates. */
  private plainText(): string | undefined {
    if (!this.passes(quote)) return undefined
    const { bytes, at: start } = this
    let end = start
    for (let c = bytes[end] as number; c !== quote; c = bytes[++end] as number) if (c < 32 || c > 126 || c === backslash) return undefined
    this.at = end + 1
    const value = this.text.slice(start, end)
    return templateSigns.test(value) ? undefined : value
  }

  /** A list of names: of identities as strings, of resources in objects. Each is there once. */
  private names(kind: Kind): NameList | undefined {
    if (!this.passes(openBracket)) return undefined
    const { text } = this
    const listStart = this.at - 1
    const heads: Head[] = []
    let isSorted = true
    let firstEnd = 0
    let firstStart = 0
    let end = 0
    for (let start = 0; ; ) {
      const lastStart = start
      const lastEnd = end
      let head = lastEnd > 0 ? this.headAfterGap(kind, lastEnd) : undefined
      if (!head) {
        if (lastEnd > 0) {
          if (kind.isInObjects && !this.passes(closeBrace)) return undefined
          if (!this.passes(comma)) break
        }
        if (kind.isInObjects && !this.passesObject()) return undefined
        head = this.passes(quote) ? this.headAt(kind) : undefined
        if (!head) return undefined
        this.at += head.text.length
        if (lastEnd > 0) {
          kind.gap = this.bytes.slice(lastEnd, this.at)
          kind.gapHead = head
        }
      }
      start = this.at - head.text.length
      if (!this.passesName(start)) return undefined
      end = this.at - 1
      if (heads[heads.length - 1] !== head && !heads.includes(head)) heads.push(head)
      const same = heads.length === 1 ? head.text.length : 0
      if (lastEnd === 0) {
        firstStart = start
        firstEnd = end
      } else isSorted &&= this.isBefore(lastStart + same, lastEnd, start + same, end)
    }
    if (!this.passes(closeBracket)) return undefined
    if (isSorted) return { heads, first: text.slice(firstStart, firstEnd) }
    const all = (JSON.parse(text.slice(listStart, this.at)) as readonly (string | { readonly urn: string })[]).map((item) =>
      typeof item === 'string' ? item : item.urn,
    )
    return isListOnce(all) ? { heads, first: lowest(all) } : undefined
  }

  /** Whether an object with a URN begins here, which is then passed up to the URN. */
  private passesObject(): boolean {
    return this.passes(openBrace) && this.next() === quote && this.passesKey('"urn"')
  }

  /** The head of the URN that is here. */
  private headAt(kind: Kind): Head | undefined {
    if (kind.last && this.text.startsWith(kind.last.text, this.at)) return kind.last
    const end = this.text.indexOf('"', this.at)
    const urn = this.text.slice(this.at, end)
    if (end < 0 || urn.length > longestName) return undefined
    const head = kind.headOf(urn)
    if (!head || !plainHead.test(head.text) || signs.test(head.text)) return undefined
    kind.last = madeIn(kind.heads, head.text, () => head)
    return kind.last
  }

  /** The head that comes after the name that ends at an offset, where all between is as between the last two names: it is then passed. */
  private headAfterGap({ gap, gapHead }: Kind, end: number): Head | undefined {
    const { bytes } = this
    for (let i = 0; i < gap.length; i++) if (gap[i] !== bytes[end + i]) return undefined
    if (gapHead) this.at = end + gap.length
    return gapHead
  }

  /** Whether a plain name and a quote come next, which are then passed. `start`: of the URN. */
  private passesName(start: number): boolean {
    const { bytes, at: offset } = this
    let mayBePlaceholder = false
    let repeated = 1
    let before = 0
    let end = offset
    for (let c = bytes[end] as number; c !== quote; c = bytes[++end] as number) {
      const isIn = nameCharacters[c]
      if (isIn === 0) return false
      repeated = c === before ? repeated + 1 : 1
      if (isIn === 2 || repeated > mostRepeated || (c === minus && (before === lowerY || before === lowerR))) mayBePlaceholder = true
      before = c
    }
    if (end === offset || end - start > longestName) return false
    this.at = end + 1
    if (!mayBePlaceholder) return true
    const urn = this.text.slice(start, end)
    return !signs.test(urn) && !urn.includes('@@')
  }

  /** Whether one part of the text comes before another one in the order of strings. */
  private isBefore(start: number, end: number, otherStart: number, otherEnd: number): boolean {
    const { bytes } = this
    const most = Math.min(end - start, otherEnd - otherStart)
    for (let i = 0; i < most; i++) {
      const difference = (bytes[start + i] as number) - (bytes[otherStart + i] as number)
      if (difference !== 0) return difference < 0
    }
    return end - start < otherEnd - otherStart
  }

  /** The actions of an object that has only a list of allowed ones: the same list for the same text. */
  private allowed(): readonly string[] | undefined {
    const { text } = this
    if (!this.passes(openBrace) || this.next() !== quote || !this.passesKey('"allow"')) return undefined
    if (this.next() !== openBracket) return undefined
    const end = text.indexOf(']', this.at) + 1
    const list = text.slice(this.at, end)
    this.at = end
    if (end === 0 || !this.passes(closeBrace)) return undefined
    if (!this.written.has(list)) {
      const actions = actionsIn(list, this.brand)
      this.written.set(list, actions && this.sameList(actions))
    }
    return this.written.get(list)
  }

  private sameList(actions: readonly string[]): readonly string[] {
    return madeIn(this.lists, keyOf(...actions), () => actions)
  }
}

/** The URNs of a list, by what they have in common. */
interface NameList {
  readonly heads: readonly Head[]
  /** The first in the order of strings. */
  readonly first: string
}

function actionsIn(list: string, brand: string): readonly string[] | undefined {
  if (!actionList.test(list)) return undefined
  const actions = (JSON.parse(list) as readonly { readonly action: string }[]).map(({ action }) => action)
  const isUsual = actions.every((action) => readActionPattern(action, brand).value && !signs.test(action)) && isListOnce(actions)
  return isUsual ? actions : undefined
}

function kindOf(isInObjects: boolean, headOf: Kind['headOf']): Kind {
  return { isInObjects, headOf, heads: new Map(), last: undefined, gap: new Uint8Array(), gapHead: undefined }
}

function headOfIdentity(urn: string): Head | undefined {
  const { value } = readIdentity(urn, { pattern: true })
  if (!value || isPattern(value.glob) || !isUser(value.kind) || value.account === undefined) return undefined
  return { text: urn.slice(0, urn.length - value.name.length), region: value.region, owner: value.account }
}

function headOfResource(urn: string): Head | undefined {
  const { value } = readResourcePattern(urn)
  if (value?.kind !== 'resource' || value.type === 'account' || isPattern(value.glob)) return undefined
  return { text: urn.slice(0, urn.length - value.name.length), region: value.region, owner: value.type }
}

/** Whether an identity is a user or a group of them: of the names of others more is known. */
function isUser(kind: string): boolean {
  return kind === 'user' || kind === 'group'
}

/** Whether a name is no pattern, and holds nothing that a placeholder is written with. */
function isPlain(name: Parameters<typeof isPattern>[0]): boolean {
  return !isPattern(name) && !signs.test(name.text)
}

/** Whether a list is not empty, and has each text once. */
function isListOnce(names: readonly string[]): boolean {
  return names.length > 0 && new Set(names).size === names.length
}

function lowest(names: readonly string[]): string {
  return names.reduce((first, name) => (name < first ? name : first))
}
