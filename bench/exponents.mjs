// How steps grow: exponents, and which of them are larger than recorded.

/** The exponent by which steps grow from one size to another: 1 where they grow as the size does. Null where one run was stopped. */
export function exponent(from, to) {
  if (!from?.steps || !to?.steps) return null
  return Math.round((Math.log(to.steps / from.steps) / Math.log(to.size / from.size)) * 100) / 100
}

/** Commands that grow by more than is recorded, or of which nothing is recorded, one sentence for each. */
export function larger({ exponents, tolerance, sizes }, measured) {
  const between = `from ${sizes.at(-2)} to ${sizes.at(-1)} policies`
  return Object.entries(measured).flatMap(([name, found]) => {
    const expected = exponents[name]
    if (expected === undefined) return [`\`${name}\`: no exponent is recorded: npm run bench -- cost --record --only '${name}'`]
    if (found !== null && found <= expected + tolerance) return []
    const grown = found === null ? 'was stopped' : `grows with the exponent ${found}, expected ${expected}`
    return [`\`${name}\` ${grown} ${between}: find what takes the steps, or record it with npm run bench -- cost --record --only '${name}'`]
  })
}
