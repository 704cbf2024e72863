import { nearest } from '../nearest.ts'
import type { World } from '../policy.ts'
import { some } from '../report/words.ts'
import { readPair, type Tried } from './context.ts'

/** The resources that an answer keeps to: those that are described with some tags. */
export interface Tagged {
  readonly resources: ReadonlySet<string>
  /** `tag env = prod` */
  readonly words: string
}

const option = '--with-tag'

/**
 * The described resources that have the tags, each as `KEY=VALUE`: every key, with one of the values that are given for it. Undefined
 * where no tag is given. A tag that no resource has is a problem: an answer about no resource would read as if nobody had access.
 */
export function taggedIn(world: World, texts: readonly string[]): Tried<Tagged | undefined> {
  if (texts.length === 0) return { value: undefined }
  const wanted = new Map<string, string[]>()
  for (const text of texts) {
    const { value, problem } = readPair(option, text)
    if (problem) return { problem }
    const [key, word] = value
    const wrong = unknownTag(world, key, word)
    if (wrong) return { problem: wrong }
    wanted.set(key, [...(wanted.get(key) ?? []), word])
  }
  const found = [...world.resources].filter(([, { tags }]) => [...wanted].every(([key, words]) => words.includes(tags?.get(key) as string)))
  const words = [...wanted].map(([key, values]) => `tag ${key} = ${values.join(' or ')}`).join(' and ')
  if (found.length === 0) return { problem: { message: `no resource is described with ${words}`, help: `give fewer \`${option}\`` } }
  return { value: { resources: new Set(found.map(([urn]) => urn)), words } }
}

function unknownTag({ resources }: World, key: string, value: string) {
  const tags = [...resources.values()].flatMap((resource) => [...(resource.tags ?? [])])
  const values = new Set(tags.flatMap(([each, word]) => (each === key ? [word] : [])))
  if (values.has(value)) return undefined
  const keys = new Set(tags.map(([each]) => each))
  const near = values.size > 0 ? nearest(value, values) : nearest(key, keys)
  const meant = near && (values.size > 0 ? `${key}=${near}` : `${near}=${value}`)
  const known = values.size > 0 ? `described values of \`${key}\`: ${listed(values)}` : `described tags: ${listed(keys)}`
  return {
    message: `${option} \`${key}=${value}\`: no resource is described with ${values.size > 0 ? 'this tag' : `a tag \`${key}\``}`,
    help: meant ? `did you mean \`${meant}\`?` : keys.size > 0 ? known : 'tags are described in world files; `--tag` supposes one',
  }
}

const listed = (words: ReadonlySet<string>) => some([...words].map((word) => `\`${word}\``))
