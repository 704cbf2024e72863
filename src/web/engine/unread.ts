/** In the place of modules that a page has no use for: what such texts say is given to it as it was understood. */
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

/** What a tool describes is no policy here. */
export const isPlan = (): boolean => false
export const readDeclared = (): undefined => undefined

export const examples = {}
