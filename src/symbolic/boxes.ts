import { covers, type Glob, glob, matches, overlaps } from '../glob.ts'
import type { ResourceUrn } from '../urn/resource.ts'
import { meet } from './patterns.ts'

/** The dimensions of a resource that are strings (docs/analysis.md, Boxes): the type holds no `:`, the name may. */
export interface Box {
  readonly region: Glob
  readonly type: Glob
  readonly name: Glob
}

const everything = glob('*')
export const everywhere: Box = { region: everything, type: everything, name: everything }

/**
 * A pattern over `<type>:<name>` as boxes. The first `:` is either written, or matched by a wildcard in front of it; each of
 * these is a separate box.
 */
export function boxesOf({ region, type, name }: Pick<ResourceUrn, 'region' | 'type' | 'name'>): readonly Box[] {
  const out: Box[] = []
  const add = (t: string, n: string) => out.push({ region: glob(region), type: glob(t), name: glob(n) })
  if (name !== '') add(type, name)
  for (let star = type.indexOf('*'); star >= 0; star = type.indexOf('*', star + 1)) {
    const rest = name === '' ? type.slice(star) : `${type.slice(star)}:${name}`
    add(type.slice(0, star + 1), rest)
  }
  // `*:*` and `*` are everything of the region.
  const all = out.find((box) => box.type.text === '*' && box.name.text === '*')
  return all ? [all] : out
}

export function coversBox(wide: Box, narrow: Box): boolean {
  return covers(wide.type, narrow.type) && covers(wide.name, narrow.name) && covers(wide.region, narrow.region)
}

export function overlapsBox(a: Box, b: Box): boolean {
  return overlaps(a.region, b.region) && overlaps(a.type, b.type) && overlaps(a.name, b.name)
}

/** The intersection of boxes. Throws `Undecided`: see `meet`. */
export function meetBoxes(a: Box, b: Box, allowance?: { left: number }): readonly Box[] {
  return meet(a.type, b.type, allowance).flatMap((type) =>
    meet(a.name, b.name, allowance).flatMap((name) => meet(a.region, b.region).map((region) => ({ region, type, name }))),
  )
}

/** Whether a resource is in a box. */
export function holdsUrn({ region, type, name }: Box, urn: string): boolean {
  const [, , plate = '', , kind = '', ...rest] = urn.split(':')
  return matches(region, plate) && matches(type, kind) && matches(name, rest.join(':'))
}

/** A text that is the same for equal boxes. */
export function boxText({ region, type, name }: Box): string {
  return `${region.text}:${type.text}:${name.text}`
}
