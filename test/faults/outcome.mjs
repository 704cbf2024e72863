/** How tests say that they waited in vain: nothing in it shows that what they assert is false. */
const waited = /\b(?:Test|Hook) timed out in \d|Matcher did not succeed in time|what the test waits for has not happened/

/**
 * The outcome of a planted fault by a report of vitest, in JSON: `caught` is the name of the first test that failed by what it asserts, `why`
 * the reason that it is not caught; `isSilent` says that no test is said to have failed.
 *
 * @param {{ readonly testResults: readonly { readonly message?: string, readonly assertionResults: readonly { readonly fullName: string, readonly status: string, readonly failureMessages?: readonly string[] }[] }[] }} report
 * @returns {{ readonly caught: string } | { readonly why: string, readonly isSilent?: true }}
 */
export function outcomeOf({ testResults }) {
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed')
  const asserted = failed.find(({ failureMessages = [] }) => !failureMessages.some((message) => waited.test(message)))
  if (asserted) return { caught: asserted.fullName }
  if (failed[0]) return { why: `a test timed out, which asserts nothing: ${failed[0].fullName}` }
  const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0)
  return broken ? { why: `a file of tests could not be run: ${broken.message}` } : { why: 'no test noticed it', isSilent: true }
}
