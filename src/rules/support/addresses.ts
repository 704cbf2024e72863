import { type AddressRange, readRange } from '../../conditions/address.ts'
import { rangesIn } from '../../conditions/sets.ts'
import type { Condition } from '../../policy.ts'
import type { RuleContext } from '../rule.ts'
import { type Leaf, leavesOf } from './tests.ts'

/** Blocks from which no request can come over the internet. Those that are kept for examples in documents are left out. */
const unreachable = {
  'a private address': '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7',
  'an address within a provider’s network': '100.64.0.0/10',
  'an address of the machine itself': '127.0.0.0/8 ::/127',
  'a link-local address': '169.254.0.0/16 fe80::/10',
  'no address of a sender': '0.0.0.0/8',
  'a multicast or reserved address': '224.0.0.0/3',
  'a multicast address': 'ff00::/8',
}

const unreachableRanges = () =>
  Object.entries(unreachable).flatMap(([what, blocks]) =>
    blocks.split(' ').map((text) => ({ range: readRange(text) as AddressRange, what })),
  )

/** The reason why no request comes from a range; undefined where some may. */
export function unreachableKind(range: AddressRange, { once }: Pick<RuleContext, 'once'>): string | undefined {
  return once(unreachableRanges).find(({ range: own }) => own.family === range.family && range.first >= own.first && range.last <= own.last)
    ?.what
}

/** The comparisons with addresses of a condition, where all that they name are such that no request comes from them; else none. */
export function allUnreachable(condition: Condition | undefined, context: Pick<RuleContext, 'once'>): readonly Leaf[] {
  const leaves = leavesOf(condition).filter(({ test }) => test.subject.kind === 'ip')
  return leaves.every(({ test }) => rangesIn(test.set).every((range) => unreachableKind(range, context) !== undefined)) ? leaves : []
}
