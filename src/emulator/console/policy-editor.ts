import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import { lint } from '../../lint/run.ts'
import { visible } from '../../names.ts'
import { readFacts } from '../../parser/policy.ts'
import { shapeProblems } from '../../parser/shape.ts'
import { readTree } from '../../parser/tree.ts'
import { buildWorld } from '../../parser/world.ts'
import { ruleContext } from '../../rules/context.ts'
import { rules } from '../../rules/index.ts'
import { sourceOf } from '../../source.ts'
import type { WrittenFields } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { idOf } from '../model/worlds.ts'

/** Policies as users edit them in the console: their text, and its problems. */

export interface Checked {
  readonly findings: readonly Diagnostic[]
  /** How many other policies it was compared with; undefined: there are too many. */
  readonly others: number | undefined
}

const mostOthers = 300

/** The findings of `lint` in the text of a policy, next to the others of its account. `id`: the policy that it replaces. */
export function checkPolicy({ settings, catalogue, ports, worldOf }: Service, account: string, text: string, id?: string): Checked {
  const source = sourceOf('policy.json', text)
  const reading = readTree(source)
  const read = readFacts(reading.documents, settings, reading.diagnostics)
  const around = worldOf(account).world
  const others = around.policies.filter((policy) => idOf(policy) !== id)
  const comparesOthers = others.length <= mostOthers
  const built = buildWorld([read.facts])
  const diagnostics: Diagnostic[] = [
    ...reading.diagnostics,
    ...read.diagnostics,
    ...read.misshapen.flatMap(shapeProblems),
    ...built.diagnostics,
  ]
  const world = { ...around, policies: [...(comparesOthers ? others : []), ...built.world.policies] }
  const lintFindings = lint(rules, ruleContext({ world, catalogue, settings, now: ports.clock.now() }), diagnostics)
  return {
    findings: lintFindings.filter(({ span }) => span.source === source).sort(compareDiagnostics),
    others: comparesOthers ? others.length : undefined,
  }
}

export function newPolicyText(region: string, identity: string | undefined): string {
  return policyText({
    name: 'web readers',
    identities: identity === undefined ? [] : [identity],
    resources: [{ urn: `urn:v1:${region}:resource:webHosting:*` }],
    permissions: { allow: [{ action: 'webHosting:*' }] },
  })
}

/** A policy as JSON for an editor. Invisible characters are written as escapes. */
export function policyText(written: WrittenFields): string {
  return JSON.stringify(written, null, 2).replace(/[^\n -~]/gu, (c) => (visible(c) === c ? c : escapesOf(c)))
}

function escapesOf(character: string): string {
  return Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
}
