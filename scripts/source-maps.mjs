// Source maps with what stacks need of them: half as large.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digitValues = new Map([...digits].map((digit, i) => [digit, i]))

/** The places that a stack names: calls, and what makes or throws an error. The bundler maps some from the space before them. */
const place = / ?(?:\/\* @__PURE__ \*\/ )?(?:(?:new|throw|await|yield) |[\w$]+[(`])/y

/**
 * The source map of a module, as text, with the places of its lines and of what a stack names. `code`: the module. `hasContent`: whether it
 * has the source, too. `sources` of a map that a bundler made of one module: one.
 */
export function forStacks(map, code, hasContent) {
  const { version, sources, sourcesContent, mappings, names } = JSON.parse(map)
  const texts = code.split('\n')
  const lines = decoded(mappings).map((segments, line) =>
    segments.filter(([column, source, sourceLine], i) => {
      if (i === 0 || sourceLine !== segments[i - 1][2] || source !== segments[i - 1][1]) return true
      place.lastIndex = column
      return place.test(texts[line])
    }),
  )
  return JSON.stringify({ version, sources, ...(hasContent && { sourcesContent }), mappings: encoded(lines), names })
}

/** The segments of each line: column, source, its line, its column, and the name where there is one. */
function decoded(mappings) {
  const last = [0, 0, 0, 0, 0]
  return mappings.split(';').map((line) => {
    last[0] = 0
    return line === '' ? [] : line.split(',').map((segment) => numbers(segment).map((number, i) => (last[i] += number)))
  })
}

function encoded(lines) {
  const last = [0, 0, 0, 0, 0]
  const digitsOf = (segment) =>
    segment.map((number, i) => {
      const change = number - last[i]
      last[i] = number
      return quantity(change)
    })
  return lines
    .map((segments) => {
      last[0] = 0
      return segments.map((segment) => digitsOf(segment).join('')).join(',')
    })
    .join(';')
}

/** Variable-length quantities in base 64: five bits in each digit, the least first, with a sixth where another follows; the first has the sign. */
function numbers(text) {
  const read = []
  let [value, shift] = [0, 0]
  for (const digit of text) {
    value |= (digitValues.get(digit) & 31) << shift
    shift += 5
    if ((digitValues.get(digit) & 32) !== 0) continue
    read.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = shift = 0
  }
  return read
}

function quantity(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)]
    rest >>= 5
  } while (rest > 0)
  return text
}
