import { type AddressRange, readRange } from '../conditions/address.ts'
import type { Rule } from './rule.ts'
import { leavesOf, rangesOf } from './support/tests.ts'
import { quote } from './support/text.ts'

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

export const privateAddress: Rule = {
  code: 'private-address',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  summary: 'An address from which no request can reach the service.',
  why:
    'The service sees the public address that a request comes from, never the one inside a company or a home network. A condition on a private ' +
    'address never holds, so that the grant behind it is dead; under `NOT` it always does, so that it limits nothing. Use the public address of ' +
    'the gateway.',
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 10.20.0.0/16 } }
#                                                             ^^^^^^^^^^^^ private-address`,
      `
conditions: { operator: MATCH, values: { request.IP.IN: "203.0.113.7, 192.168.1.10" } }
#                                                                     ^^^^^^^^^^^^ private-address`,
    ],
    good: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }`,
      `
conditions: { operator: NOT, conditions: [{ operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }] }`,
    ],
  },
  check: {
    *policy({ condition }) {
      for (const leaf of leavesOf(condition)) {
        if (leaf.test.subject.kind !== 'ip') continue
        for (const { range, text, span } of rangesOf(leaf)) {
          const block = unreachable.find(
            ({ range: own }) => own.family === range.family && range.first >= own.first && range.last <= own.last,
          )
          if (!block) continue
          yield {
            span,
            message: `${quote(text)} is ${block.what}: no request comes from it`,
            help: 'use the public address that requests are sent from',
          }
        }
      }
    },
  },
}
