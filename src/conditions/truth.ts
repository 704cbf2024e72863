/** Kleene's three values: `undefined` is "not known". */
export type Truth = boolean | undefined

/** True when one is, false when none is, else not known. Of none: false. */
export function some(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false
}

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth
}
