// The cases of test/bypass for other tools: what must be stopped, without the commands and words of this one.
import { gateCases } from './gate-cases.mjs'

/** A change of what must be stopped raises the first number, new cases the second, wording the third. */
const version = '2.15.0'

/** Comparing the whole repository: what a tool is asked that knows nothing of ours. Lines after the change may leave a folder that differs from it. */
const isWhole = ({ commands, after_change = [] }) =>
  commands.some(
    ({ run }) => run === 'grantwise diff git:main .' || (run === 'grantwise diff git:main git:HEAD' && after_change.length === 0),
  )

/** The text of conformance/gate/cases.json, as `printed` prints JSON. */
export function gateText(printed) {
  const cases = [...gateCases().values()].flat()
  return `${printed({ version, cases: cases.filter(isWhole).map(forOthers) })}\n`
}

function forOthers({ title, access, base = {}, change = {}, after_base, after_change }) {
  const stop = access === 'gained' || access === 'unclear'
  return { title, access, stop, base, change, ...(after_base && { after_base }), ...(after_change && { after_change }) }
}
