/** Half of a pair of code units, or NUL. */
const unportable = /\p{Surrogate}|\u0000/gu

/** Whether each engine can hold a string: some know no NUL, and none half of a pair of code units. */
export const isPortable = (text: string): boolean => text.search(unportable) < 0

/** A string that is only shown, in characters that each engine can hold. */
export const portable = (text: string): string => text.replace(unportable, '\ufffd')
