/** Blanks of the language: the property `White_Space` of Unicode, which differs from `\s`. */
const blank = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

export function leadingBlanks(text: string): string {
  let at = 0
  while (blank.test(text.charAt(at))) at++
  return text.slice(0, at)
}

export function trailingBlanks(text: string): string {
  let at = text.length
  while (blank.test(text.charAt(at - 1))) at--
  return text.slice(at)
}

export function withoutBlanks(text: string): string {
  const rest = text.slice(leadingBlanks(text).length)
  return rest.slice(0, rest.length - trailingBlanks(rest).length)
}
