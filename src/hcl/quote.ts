/** Whether HCL can say a text: it holds texts in composed form (NFC), and no half of a surrogate pair. */
export function isSayable(value: string): boolean {
  return value.normalize('NFC') === value && !/\p{Surrogate}/u.test(value)
}

/**
 * A text as it is written in HCL, in quotes. `${` and `%{` would begin a template and are written `$${` and `%%{`; behind
 * another such sign by its number, since `$$${` is not read alike by all.
 */
export function quoted(value: string): string {
  const inner = value
    .replace(/["\\]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/(\$+|%+)\{/g, (_, signs: string) =>
      signs.length === 1 ? `${signs}${signs}{` : `${signs.replaceAll('$', '\\u0024').replaceAll('%', '\\u0025')}{`,
    )
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => {
      const number = (c.codePointAt(0) as number).toString(16)
      return number.length > 4 ? `\\U${number.padStart(8, '0')}` : `\\u${number.padStart(4, '0')}`
    })
  return `"${inner}"`
}
