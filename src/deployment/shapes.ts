import { treeOf } from '../parser/tree.ts'
import { notationOf, sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import type { DeploymentChange, Policies, Repository } from './facts.ts'
import { isObject, isYaml } from './kinds.ts'
import { programsIn, sendersOf } from './senders.ts'
import { readDifferently } from './written.ts'

/**
 * The parts of a text that readers may take differently, although it says the same to us: the program that deploys policies has a decoder of its own, which may
 * refuse a file or take a value for another one.
 */
interface Shape {
  /** It begins with a byte order mark. */
  readonly isMarked: boolean
  /** It is JSON with what plain JSON does not have. */
  readonly hasComments: boolean
  readonly hasLastCommas: boolean
  readonly root: 'objects' | 'an object' | 'a list' | 'several documents' | 'empty'
  /** Each policy takes one line. */
  readonly isByLine: boolean
  /** Values and keys by their places, with what readers take them for. */
  readonly scalars: readonly Scalar[]
  /** Places that a template engine, or a shell, fills. */
  readonly placeholders: readonly string[]
}

interface Scalar {
  /** The keys that lead to it, without the places in lists. */
  readonly place: string
  readonly key: string
  /** As it is written, without quotes. */
  readonly spelled: string
  readonly as: Kind
}

type Kind = 'text' | 'number' | 'boolean' | 'null' | 'date' | 'word'

/** The files of policies whose shape changes where a program deploys them: it may read them in another way. */
export async function shapeChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  policies: Policies,
): Promise<readonly DeploymentChange[]> {
  const files = paths.filter((path) => policies.files.includes(path) && isRead(path))
  const changes: DeploymentChange[] = []
  // A policy under another name may have been any of those that are gone.
  const movedFrom = async (shape: Shape): Promise<Shape | undefined> => {
    const gone = files.filter((path) => after.text(path) === undefined)
    const shapes = (await Promise.all(gone.map((path) => shapeOf(path, before.text(path) ?? '')))).flatMap((each) => each ?? [])
    const alike = shapes.filter(({ scalars }) => sharesMost(scalars, shape.scalars))
    return alike.find((each) => differenceOf(each, shape) === undefined) ?? alike[0]
  }
  for (const path of files) {
    const [old, now] = [before.text(path), after.text(path)]
    if (now === undefined) continue
    const around = { repository: after, policies }
    const sender = (await sendersOf(around))(now) ?? (await sendersOf({ repository: before, policies }))(now)
    const shape = sender && (await shapeOf(path, now))
    if (!shape) continue
    const oldShape = old === undefined ? await movedFrom(shape) : await shapeOf(path, old)
    const line =
      oldShape && oldShape.isByLine !== shape.isByLine ? (await programsIn(around)).find(({ text }) => readsLines.test(text)) : undefined
    const what = (await replacedIn(shape, before, policies)) ?? differenceOf(oldShape, shape)
    if (what !== undefined) changes.push({ path, why: `\`${sender.path}\` may take it in another way: ${what}` })
    else if (line)
      changes.push({
        path,
        why: `\`${line.path}\` reads lines, and ${shape.isByLine ? 'each policy takes one now' : 'not each policy takes one'}`,
      })
  }
  return changes
}

const isRead = (path: string): boolean => notationOf(path) === 'json' || notationOf(path) === 'yaml'

/** A place in a text that may be filled, if no policy had it before: a template engine did not act on it then. */
async function replacedIn({ placeholders }: Shape, before: Repository, policies: Policies): Promise<string | undefined> {
  if (placeholders.length === 0) return undefined
  const files = policies.files.filter(isRead)
  before.prefetch(files)
  const earlier = new Set<string>()
  for (const path of files) {
    const text = before.text(path)
    const shape = text !== undefined && text.search(placeholder) >= 0 ? await shapeOf(path, text) : undefined
    for (const each of shape?.placeholders ?? []) earlier.add(each)
  }
  const replaced = placeholders.find((each) => !earlier.has(each))
  return replaced === undefined ? undefined : `something may be put in the place of \`${replaced}\``
}

/** The first difference, as a clause; undefined where there is none. */
function differenceOf(before: Shape | undefined, after: Shape): string | undefined {
  if (before === undefined) return after.isMarked ? 'it begins with a byte order mark' : undefined
  if (before.isMarked !== after.isMarked) return `it ${after.isMarked ? 'begins' : 'no longer begins'} with a byte order mark`
  if (before.root !== after.root) return `it is ${after.root}, and was ${before.root}`
  if (before.hasComments !== after.hasComments)
    return `it ${after.hasComments ? 'has' : 'no longer has'} comments, which plain JSON does not have`
  if (!before.hasLastCommas && after.hasLastCommas) return 'it has a comma after the last item, which plain JSON does not have'
  return otherKind(before.scalars, after.scalars)
}

/** Whether most values of one text are in another. */
function sharesMost(some: readonly Scalar[], others: readonly Scalar[]): boolean {
  const spelled = new Set(others.map((each) => each.spelled))
  return some.filter((each) => spelled.has(each.spelled)).length * 2 > some.length
}

/** A value, or a key, that readers may take for something else than before. */
function otherKind(before: readonly Scalar[], after: readonly Scalar[]): string | undefined {
  const valueKey = ({ place, spelled }: Scalar) => JSON.stringify([place, spelled])
  const kindKey = ({ place, as }: Scalar) => JSON.stringify([place, as])
  const kinds = new Map<string, Set<Kind>>()
  for (const each of before) kinds.set(valueKey(each), (kinds.get(valueKey(each)) ?? new Set()).add(each.as))
  const places = new Set(before.map(kindKey))
  const changed = after.find((each) => {
    const earlier = kinds.get(valueKey(each))
    return earlier ? !earlier.has(each.as) : isUnsure(each.as) && !places.has(kindKey(each))
  })
  return changed && `\`${changed.key}\` is ${kindNames[changed.as]}`
}

const isUnsure = (kind: Kind): boolean => kind === 'date' || kind === 'word'

const kindNames: Readonly<Record<Kind, string>> = {
  text: 'in quotes',
  number: 'a number without quotes',
  boolean: 'a boolean without quotes',
  null: 'nothing, without quotes',
  date: 'a date without quotes',
  word: 'a word or a number without quotes that readers of YAML take differently',
}

/** Programs that read a file line by line: each line is a policy for them. */
const readsLines =
  /\bdone\s*<\s*(?![<(])\S|\bcat\s[^\n|]{0,400}\|\s*while\b|\b(?:mapfile|readarray)\b|\breadlines?\b|\bsplitlines\b|\bsplit\(\s*(?:\/\\r\?\\n\/|["'`]\\n["'`])|\bfor\s+\w*line\w*\s+in\b|\bscanner\.Scan\b|\bbufio\b|\bxargs\s+(?:-\S+\s+)*-[LnI]|\bread_lines\b|\beach_line\b|\bnd-?json|\bjsonl\b/i

/** Places that something else is put into: by a shell or `envsubst`, and by template engines. */
const placeholder =
  /\$\{[^{}\n]{1,200}\}?|\$\([^\n]{1,200}|\$[A-Za-z_]\w*|\{\{[^\n]{0,200}?\}\}|\{%[^\n]{0,200}?%\}|<%[^\n]{0,200}?%>|%\{[^\n]{0,200}?\}|%\(\w{1,100}\)s|@@\w{1,100}@@|@[A-Z][A-Z0-9_]*@|#\{[^\n]{0,200}?\}|\(\(\s{0,9}[\w.!/-]{1,200}\s{0,9}\)\)|__[A-Z][A-Z0-9_]*__/g

async function shapeOf(path: string, text: string): Promise<Shape | undefined> {
  const source = sourceOf(path, text)
  const { documents, refused } = await treeOf(source)
  if (refused) return undefined
  // A tool that applies manifests reads all documents of a file.
  const isManifest = isObject(text)
  const isList = documents.length === 1 && documents[0]?.kind === 'list'
  const items = documents.flatMap((each) => (isList && each.kind === 'list' ? each.items : [each]))
  const lines = items.map(({ start }) => text.slice(0, start).split('\n').length)
  const scalars: Scalar[] = []
  for (const each of documents) addScalars(each, '', scalars)
  return {
    isMarked: text.startsWith('\ufeff'),
    ...commentsIn(path, text),
    root: isManifest
      ? 'objects'
      : documents.length > 1
        ? 'several documents'
        : isList
          ? 'a list'
          : documents.length === 0
            ? 'empty'
            : 'an object',
    isByLine:
      !isManifest &&
      items.every(({ start, end }) => !text.slice(start, end).trimEnd().includes('\n')) &&
      new Set(lines).size === lines.length,
    scalars,
    placeholders: [...new Set(scalars.flatMap(({ spelled }) => spelled.match(placeholder) ?? []))],
  }
}

/** `grantwise fmt` removes commas after the last item, and no comment. */
function commentsIn(path: string, text: string): Pick<Shape, 'hasComments' | 'hasLastCommas'> {
  if (isYaml(path)) return { hasComments: false, hasLastCommas: false }
  let hasComments = false
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g, (each) => {
    hasComments ||= !each.startsWith('"')
    return each.startsWith('"') ? '""' : ''
  })
  return { hasComments, hasLastCommas: /,\s*[}\]]/.test(plain) }
}

/** The scalars of a node. Keys count as well: `on` is a boolean for some. */
function addScalars(node: Node, place: string, scalars: Scalar[], key = ''): void {
  if (node.kind === 'unknown') return
  if (node.kind === 'list') for (const item of node.items) addScalars(item, place, scalars, key)
  else if (node.kind === 'map')
    for (const entry of node.entries) {
      addScalars(entry.key, `${place}{}`, scalars, entry.key.value)
      addScalars(entry.value, `${place}.${entry.key.value}`, scalars, entry.key.value)
    }
  else {
    const written = node.source.text.slice(node.start, node.end)
    const spelled = node.kind === 'text' ? node.value : written
    scalars.push({ place, key, spelled, as: node.kind === 'text' && written === node.value ? kindOf(written) : node.kind })
  }
}

/** The kind that readers may take a text without quotes for. */
const kindOf = (written: string): Kind =>
  date.test(written) ? 'date' : written.length <= 100 && readDifferently.test(written) ? 'word' : 'text'

const date = /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]{1,9})\d\d?:\d\d:\d\d(?:\.\d{0,20})?(?:[ \t]{0,9}(?:Z|[-+]\d\d?(?::?\d\d)?))?)?$/
