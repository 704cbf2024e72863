import { type Asked, kinds } from '../ask/asked.ts'
import { presets, type Shared } from './shared.ts'

/** The state of the playground, as the end of its address: nothing after `#` is sent to a server. */

/** How long an address may be, what it may unfold to, and how many files it may hold. */
const [longest, largest, mostFiles] = [32_000, 1_000_000, 50]
const mark = 'play='

const texts = ['identity', 'action', 'resource', 'ip', 'at', 'tag', 'group'] as const

/** The end of an address; undefined where it would be too long. */
export async function fragmentOf({ files, file, preset, asked }: Shared): Promise<string | undefined> {
  const text = JSON.stringify([files, file, preset, asked.kind, ...texts.map((name) => asked[name])])
  if (text.length > largest) return undefined
  const bytes = new Uint8Array(await new Response(through(new Blob([text]), new CompressionStream('deflate-raw'))).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const packed = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return packed.length > longest ? undefined : `#${mark}${packed}`
}

/** The state in the end of an address; undefined where it is not about the playground. Throws where it cannot be read. */
export async function sharedOf(fragment: string): Promise<Shared | undefined> {
  const packed = fragment.replace(/^#/, '')
  if (!packed.startsWith(mark)) return undefined
  if (packed.length > longest + mark.length) throw new Error('it is too long')
  let value: unknown
  try {
    const binary = atob(packed.slice(mark.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0))
    value = JSON.parse(await unfolded(through(new Blob([bytes]), new DecompressionStream('deflate-raw'))))
  } catch (error) {
    throw error instanceof TooLarge ? error : new Error('it was cut or changed')
  }
  const shared = checked(value)
  if (!shared) throw new Error('it holds something else')
  return shared
}

class TooLarge extends Error {
  override readonly message = 'it is too large'
}

const through = (blob: Blob, stream: CompressionStream | DecompressionStream) =>
  blob.stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>)

/** A text of at most a size, however little of it is packed. */
async function unfolded(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > largest) {
      reader.cancel().catch(() => {})
      throw new TooLarge()
    }
  }
}

function checked(value: unknown): Shared | undefined {
  if (!Array.isArray(value) || value.length !== 4 + texts.length) return undefined
  const [files, file, preset, kind, ...rest] = value as unknown[]
  const isFile = (each: unknown): each is readonly [string, string] =>
    Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === 'string') && nameProblem(String(each[0])) === undefined
  if (!Array.isArray(files) || files.length === 0 || files.length > mostFiles || !files.every(isFile)) return undefined
  if (new Set(files.map(([name]) => name)).size < files.length || !files.some(([name]) => name === file)) return undefined
  const [ownPreset, ownKind] = [presets.find((each) => each === preset), kinds.find((each) => each === kind)]
  if (!ownPreset || !ownKind || !rest.every((each) => typeof each === 'string')) return undefined
  const asked = Object.fromEntries(texts.map((name, i) => [name, rest[i]])) as Omit<Asked, 'kind'>
  return { files, file: file as string, preset: ownPreset, asked: { kind: ownKind, ...asked } }
}

/** Why a name cannot be that of a file here. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > 100) return 'A name has 1 to 100 characters.'
  if (!/^[\w][\w. /-]*\.(?:json|ya?ml)$/.test(name) || name.includes('..'))
    return 'A name ends in .yaml or .json, and has letters, digits, . _ - and /.'
  return undefined
}
