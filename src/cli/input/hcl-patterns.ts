import { RE2JS } from 're2js'
import type { Pattern } from '../../hcl/tools.ts'

/** A regular expression as the language has it (RE2): time grows with the text and the pattern, and no faster. */
export function compile(text: string): Pattern | undefined {
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(text)
  } catch {
    return undefined
  }
  const count = pattern.groupCount()
  const places = new Map(Object.entries(pattern.namedGroups()).map(([name, place]) => [place, name]))
  return {
    size: pattern.matcher('').programSize(),
    names: Array.from({ length: count }, (_, i) => places.get(i + 1)),
    next: (subject) => {
      const matcher = pattern.matcher(subject)
      return () => {
        if (!matcher.find()) return undefined
        const groups = Array.from({ length: count }, (_, i) => matcher.group(i + 1) ?? undefined)
        return { start: matcher.start(), end: matcher.end(), groups }
      }
    },
  }
}
