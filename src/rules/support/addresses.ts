import { type AddressRange, readRange } from '../../conditions/address.ts'
import { rangesIn } from '../../conditions/sets.ts'
import type { Condition } from '../../policy.ts'
import { type Leaf, leavesOf } from './tests.ts'

/** Blocks from which no request can come over the internet. Those that are kept for examples in documents are left out. */
const unreachable: readonly { readonly range: AddressRange; readonly what: string }[] = (
  [
    ['10.0.0.0/8', 'a private address'],
    ['172.16.0.0/12', 'a private address'],
    ['192.168.0.0/16', 'a private address'],
    ['100.64.0.0/10', 'an address within a provider’s network'],
    ['127.0.0.0/8', 'an address of the machine itself'],
    ['169.254.0.0/16', 'a link-local address'],
    ['0.0.0.0/8', 'no address of a sender'],
    ['224.0.0.0/3', 'a multicast or reserved address'],
    ['::/127', 'an address of the machine itself'],
    ['fc00::/7', 'a private address'],
    ['fe80::/10', 'a link-local address'],
    ['ff00::/8', 'a multicast address'],
  ] as const
).map(([text, what]) => ({ range: readRange(text) as AddressRange, what }))

/** The reason why no request comes from a range; undefined where some may. */
export function unreachableKind(range: AddressRange): string | undefined {
  return unreachable.find(({ range: own }) => own.family === range.family && range.first >= own.first && range.last <= own.last)?.what
}

/** The comparisons with addresses of a condition, where all that they name are such that no request comes from them; else none. */
export function allUnreachable(condition: Condition | undefined): readonly Leaf[] {
  const leaves = leavesOf(condition).filter(({ test }) => test.subject.kind === 'ip')
  return leaves.every(({ test }) => rangesIn(test.set).every((range) => unreachableKind(range) !== undefined)) ? leaves : []
}
