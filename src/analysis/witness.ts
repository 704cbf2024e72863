import { printAddress, readAddress } from '../conditions/address.ts'
import { type Glob, isPattern } from '../glob.ts'
import type { Question } from '../simulate/decision.ts'
import type { Gain } from './inclusion.ts'

/**
 * A question of a region that `can` answers: every wildcard filled with a letter that no pattern in play holds, and every
 * fact that matters given (spec: analysis, 6.7).
 */
export function witnessOf({ region, model }: Gain, avoid: string): Question {
  const letter = [...'xyzwvu0123456789qjk'].find((c) => !avoid.includes(c)) ?? String.fromCharCode(0xe000)
  const fill = (pattern: Glob, least: string) => (isPattern(pattern) ? pattern.pieces.join(letter) : pattern.text) || least
  const { self, groups } = region.caller
  const [first, ...others] = groups
  const identity = self ?? (first as Glob)
  const brought = self ? groups : others
  const { region: plate, type, name } = region.box
  return {
    identity: fillIdentity(identity, letter),
    action: fillAction(region.action, letter),
    resource: `urn:v1:${isPattern(plate) ? 'eu' : plate.text}:resource:${fill(type, letter)}:${fill(name, letter)}`,
    at: model.at ?? Date.UTC(2026, 0, 1),
    groups: brought.map((group) => fillIdentity(group, letter)),
    ip: model.ip ?? (readAddress('192.0.2.1') as NonNullable<ReturnType<typeof readAddress>>),
    tags: new Map([...model.tags].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))),
  }
}

/** A pattern over accounts needs an account and a name. */
function fillIdentity(pattern: Glob, letter: string): string {
  const text = pattern.pieces.join(letter)
  const [, , , , kind = '', id = ''] = text.split(':')
  return kind === 'account' || id.includes('/') ? text : `${text}/${kind === 'credential' ? 'oauth2-' : ''}${letter}`
}

/** An action pattern filled so that the result is an action: `vps:*` needs a namespace and a path. */
function fillAction(pattern: Glob, letter: string): string {
  if (!isPattern(pattern)) return pattern.text
  const candidates = [letter, `${letter}:${letter}`, `${letter}:${letter}:${letter}`, `:${letter}`]
  const texts = candidates.map((fill) => pattern.pieces.join(fill))
  const legal = /^[a-z][A-Za-z0-9]*:[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*(\?.*)?$/
  return texts.find((text) => legal.test(text)) ?? (texts[0] as string)
}

export function questionJson({ identity, groups, action, resource, ip, tags, at }: Question) {
  return {
    identity,
    groups,
    action,
    resource,
    ip: ip ? printAddress(ip) : null,
    tags: Object.fromEntries(tags ?? []),
    at: new Date(at).toISOString(),
  }
}
