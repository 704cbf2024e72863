import type { Verdict } from '../simulate/decision.ts'
import { questionJson } from '../symbolic/witness.ts'
import type { Replayed } from './claim.ts'
import { shortNameOf } from './fields.ts'
import { expiryText } from './write.ts'

/** The file of policy tests that holds an edit to what it was made for. */

const verb: Readonly<Record<Verdict, string>> = { allow: 'may', deny: 'may not', unknown: 'may perhaps' }

/**
 * The text of a file of policy tests: the refused questions, at each instant with the verdict after the edit. `policies`: the paths
 * of the policies under test, seen from the file; undefined: those of the configuration.
 */
export function grantTestText(replay: readonly Replayed[], policies: readonly string[] | undefined): string {
  const lines = replay.flatMap(({ question, after }) => {
    const { identity, action, resource, at, ip, tags, owner, groups } = questionJson(question)
    const name = `${shortNameOf(identity)} ${verb[after]} ${action} on ${shortNameOf(resource)} at ${expiryText(question.at)}`
    return [
      `  - name: ${text(name)}`,
      `    identity: ${text(identity)}`,
      `    action: ${text(action)}`,
      `    resource: ${text(resource)}`,
      `    at: ${text(at)}`,
      ...(ip === undefined ? [] : [`    ip: ${text(ip)}`]),
      ...(groups.length === 0 ? [] : [`    groups: ${text(groups)}`]),
      ...(tags === undefined ? [] : [`    tags: ${text(tags)}`]),
      ...(owner === undefined ? [] : [`    owner: ${text(owner)}`]),
      `    expect: ${after}`,
    ]
  })
  return `${[...(policies ? [`policies: ${text(policies)}`] : []), 'tests:', ...lines].join('\n')}\n`
}

/** JSON is YAML. */
const text = (value: unknown) => JSON.stringify(value)
