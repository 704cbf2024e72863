import { compareDiagnostics, type Diagnostic, type Severity } from '../../diagnostic.ts'
import { lint } from '../../lint.ts'
import { visible } from '../../names.ts'
import { readFacts } from '../../parser/policy.ts'
import { shapeProblems } from '../../parser/shape.ts'
import { readTree } from '../../parser/tree.ts'
import { buildWorld } from '../../parser/world.ts'
import { rules } from '../../rules/index.ts'
import { ruleContext } from '../../rules/rule.ts'
import { position, sourceOf } from '../../source.ts'
import type { Written } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { idOf } from '../model/worlds.ts'

/** Policies as people edit them in the console: their text, and what is wrong with it. */

/** Something that was found in the text of a policy. Line and column from 1, offsets in UTF-16 units. */
export interface EditorFinding {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly help: string | undefined
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
}

export interface Checked {
  readonly findings: readonly EditorFinding[]
  /** How many other policies it was held against; undefined: there are too many, and it was looked at by itself. */
  readonly others: number | undefined
}

/** How many policies a text is held against while it is typed. */
const mostOthers = 300

/**
 * What `lint` finds in the text of a policy, beside the other policies and the groups of its account. `id`: the policy that
 * the text is to replace.
 */
export function checkPolicy({ settings, catalogue, ports, worldOf }: Service, account: string, text: string, id?: string): Checked {
  const source = sourceOf('policy.json', text)
  const reading = readTree(source)
  const read = readFacts(reading.documents, settings, reading.diagnostics)
  const around = worldOf(account).world
  const others = around.policies.filter((policy) => idOf(policy) !== id)
  const isBesides = others.length <= mostOthers
  const built = buildWorld([read.facts])
  const diagnostics: Diagnostic[] = [
    ...reading.diagnostics,
    ...read.diagnostics,
    ...read.misshapen.flatMap(shapeProblems),
    ...built.diagnostics,
  ]
  const world = { ...around, policies: [...(isBesides ? others : []), ...built.world.policies] }
  const found = lint(rules, ruleContext({ world, catalogue, settings, now: ports.clock.now() }), diagnostics)
  return {
    findings: found
      .filter(({ span }) => span.source === source)
      .sort(compareDiagnostics)
      .map(findingOf),
    others: isBesides ? others.length : undefined,
  }
}

function findingOf({ severity, code, message, help, span }: Diagnostic): EditorFinding {
  return { severity, code, message, help, ...position(span.source, span.start), start: span.start, end: span.end }
}

/** What a policy is begun with: the shape of one, about a resource that everybody has seen. */
export function newPolicyText(region: string, identity: string | undefined): string {
  return policyText({
    name: 'web readers',
    identities: identity === undefined ? [] : [identity],
    resources: [{ urn: `urn:v1:${region}:resource:webHosting:*` }],
    permissions: { allow: [{ action: 'webHosting:*' }] },
  })
}

/** A policy as JSON for an editor. Characters that nobody sees are written as escapes, which say the same. */
export function policyText(written: Written): string {
  return JSON.stringify(written, null, 2).replace(/[^\n -~]/gu, (c) => (visible(c) === c ? c : escapesOf(c)))
}

function escapesOf(character: string): string {
  return Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
}
