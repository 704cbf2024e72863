/** Half of a pair of code units. */
const half = /\p{Surrogate}/gu
const nul = '\u0000'

/** Whether each engine can hold a string: some know no NUL, and none half of a pair of code units. */
export const isPortable = (text: string): boolean => text.search(half) < 0 && !text.includes(nul)

/** A string that is only shown, in characters that each engine can hold. */
export const portable = (text: string): string => text.replace(half, '\ufffd').replaceAll(nul, '\ufffd')
