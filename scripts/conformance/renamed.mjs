/** Words that mean something: all others are names that an author chose. */
const keywords = new Set(
  `urn v1 eu ca us identity user group credential account resource resourceGroup permissionsGroup oauth2 Tag Name Type
  operator conditions values AND OR NOT MATCH EQ IN STARTS_WITH ENDS_WITH name description identities resources permissions allow except deny action
  permissionsGroups expiredAt id owner readOnly createdAt updatedAt policies resourceGroups groups tags world files lines questions before after
  expected verdict missing notes refused new example at ip json yaml yml null true false condition unknown`.split(/\s+/),
)
/** Fields whose value is no name: instants, addresses, notes. */
const literal = new Set(['at', 'ip', 'expiredAt', 'createdAt', 'updatedAt', 'operator', 'verdict', 'notes'])

/**
 * A case without its name, with every name replaced by a number in the order in which they occur: two cases that differ by
 * renaming come out the same. How a name relates to those before it stays
 * visible: the same in other case, a part of another, both of two letters or more.
 */
export function renamed({ name: _, tests: __, ...rest }) {
  const known = []
  const words = (text) => text.replace(/[\p{L}\d_]+/gu, (word) => (keywords.has(word) ? word : numbered(word)))
  const numbered = (word) => {
    const folded = word.toLowerCase()
    const shape = word.replace(/[^\p{Lu}]/gu, '').length > 0 ? `^${word.replace(/\p{Lu}/gu, 'U').replace(/[^U]/g, '.')}` : ''
    const at = known.indexOf(folded)
    if (at >= 0) return `<${at}${shape}>`
    const relations = known.flatMap((other, i) =>
      Math.min(other.length, folded.length) > 1 && (other.includes(folded) || folded.includes(other))
        ? [`${i}${relation(other, folded)}`]
        : [],
    )
    known.push(folded)
    return `<${known.length - 1}${shape}${relations.join()}>`
  }
  const walk = (value, key) => {
    if (typeof value === 'string') return literal.has(key) || /^(?:date|request\.)/.test(key) ? value : words(value)
    if (Array.isArray(value)) return value.map((item) => walk(item, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value).map(([each, item]) => [/^(?:date|request\.)/.test(each) ? each : words(each), walk(item, each)])
  }
  return JSON.stringify(walk(rest, ''))
}

function relation(a, b) {
  const [long, short] = a.length > b.length ? [a, b] : [b, a]
  return `${a.length > b.length ? 'in' : 'has'}${long.startsWith(short) ? 's' : ''}${long.endsWith(short) ? 'e' : ''}`
}
