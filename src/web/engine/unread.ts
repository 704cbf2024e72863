/** Replacement for modules that a page has no use for: it gets their texts already parsed. */
const refuse = (): never => {
  throw new Error('a page does not read this notation')
}

export {
  refuse as filledDocument,
  refuse as inEveryAssignment,
  refuse as isOutsideKept,
  refuse as opennessOf,
  refuse as readRulesText,
  refuse as writtenIn,
}

/** No text is looked at for what a program would fill in. */
export const templateIn = (): undefined => undefined

/** A page has no plans of tools. */
export const isPlan = (): boolean => false
export const readDeclared = (): undefined => undefined

export const examples = {}
