// The order of the files in a package.

/**
 * The same archive with files next to one another that have much text in common, such as a module, the same as CommonJS, and its source map.
 * What compresses the archive finds again only what is at most 32 KB back; npm puts all files with one ending together.
 */
export function ordered(tar) {
  const entries = []
  let start = 0
  for (let offset = 0; tar[offset] !== 0; ) {
    const text = (from, length) => tar.toString('utf8', offset + from, offset + from + length).replace(/\0.*$/s, '')
    const [name, prefix, kind] = [text(0, 100), text(345, 155), text(156, 1)]
    offset += 512 + Math.ceil(Number.parseInt(text(124, 12), 8) / 512) * 512
    // A header with a name that is too long belongs to the entry after it.
    if (/[xgLK]/.test(kind)) continue
    entries.push({ path: prefix === '' ? name : `${prefix}/${name}`, bytes: tar.subarray(start, offset) })
    start = offset
  }
  const keyed = entries.map((entry) => ({ ...entry, key: keyOf(entry.path) }))
  keyed.sort((a, b) => compare(a.key, b.key) || compare(a.path, b.path))
  return Buffer.concat([...keyed.map(({ bytes }) => bytes), tar.subarray(start)])
}

/** The manifest first; otherwise what is made of one source has one key. */
function keyOf(path) {
  if (path === 'package/package.json') return ''
  return path.replace(/^package\/dist\/(?:library|commonjs|types)\//, 'package/dist/').replace(/(?:\.js\.map|\.d\.m?ts|\.m?js)$/, '')
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
