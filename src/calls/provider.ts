import { nearest } from '../nearest.ts'
import type { CallMethod } from './match.ts'
import { providerTable } from './provider-table.ts'
import { providerTypeNames } from './provider-type-names.ts'

/** The parts of a resource's life, each with calls of the provider of Terraform. */
export const providerParts = ['create', 'read', 'update', 'delete'] as const
export type ProviderPart = (typeof providerParts)[number]

/** A call that the provider makes for a resource. */
export interface ProviderCall {
  readonly method: CallMethod
  /** With attributes of the resource in braces, and `{}` for what no attribute holds. */
  readonly path: string
  /** `always`; `sometimes`; or only where this attribute changes, or is set by a create. */
  readonly when: 'always' | 'sometimes' | { readonly attribute: string }
}

/** The calls of one part; `isWhole`: there are no others. */
export interface ProviderCalls {
  readonly calls: readonly ProviderCall[]
  readonly isWhole: boolean
}

/** A resource that calls are about and that their paths do not name. */
export interface OtherResource {
  readonly type: string
  readonly attribute: string
}

/** The calls that the provider makes for resources of a type. */
export interface ProviderType extends Readonly<Record<ProviderPart, ProviderCalls>> {
  readonly others: readonly OtherResource[]
}

/** The known types of the provider, and the month in which their calls were read in its source, `YYYY-MM`. */
export interface ProviderTypes {
  readonly seen: string
  readonly resources: ReadonlyMap<string, ProviderType>
  readonly data: ReadonlyMap<string, ProviderType>
  /** All types that the provider is known to have; the calls of many are not known. */
  readonly names: ReadonlySet<string>
}

const methods: Readonly<Record<string, CallMethod>> = { A: 'PATCH', D: 'DELETE', G: 'GET', P: 'POST', U: 'PUT' }

/** The types of the provider by their names without its prefix, which is its brand word too. The tables are read at each call: keep the result. */
export function providerTypes(prefix = 'svc'): ProviderTypes {
  const [seen = '', ...lines] = providerTable.trimEnd().split('\n')
  const isData = (line: string) => line.startsWith(dataMark)
  return {
    seen,
    resources: new Map(lines.filter((line) => !isData(line)).map(typeIn)),
    data: new Map(lines.filter(isData).map((line) => typeIn(line.slice(dataMark.length)))),
    names: new Set(
      providerTypeNames
        .trimEnd()
        .split('\n')
        .map((name) => name.replace(/(^|_)svc(?=cloud)/, (_, start) => `${start}${prefix}`)),
    ),
  }
}

/** Whether the provider is known to have a type, and if not, which of its types is probably meant. The name is without the prefix. */
export function judgeType(name: string, { names }: ProviderTypes): 'known' | { readonly nearest: string | undefined } {
  return names.has(name) ? 'known' : { nearest: nearest(name, names) }
}

/** The beginning of the lines of data sources. */
const dataMark = 'data.'

function typeIn(line: string): readonly [string, ProviderType] {
  const [row = '', others = ''] = line.split(' with ')
  const [name = '', path = '', ...cells] = row.split(' ')
  const [create, read, update, remove] = cells.map((cell) => callsIn(cell, path.split('/'))) as [
    ProviderCalls,
    ProviderCalls,
    ProviderCalls,
    ProviderCalls,
  ]
  return [name, { create, read, update, delete: remove, others: [...others.matchAll(/(\w+)=\{(\w+)\}/g)].map(otherIn) }]
}

const otherIn = ([, type = '', attribute = '']: RegExpMatchArray): OtherResource => ({ type, attribute })

function callsIn(cell: string, words: readonly string[]): ProviderCalls {
  const isWhole = !cell.endsWith('+')
  const strings = (isWhole ? cell : cell.slice(0, -1)).split(',').filter((text) => text !== '' && text !== '-')
  return { isWhole, calls: strings.map((text) => callIn(text, words)) }
}

function callIn(text: string, words: readonly string[]): ProviderCall {
  const [, when, letter = '', up = '', path = ''] = /^(?:(\w*)\?)?([A-Z])(\^*)(.*)$/.exec(text) as RegExpExecArray
  const whole = path.startsWith('=') ? path.slice(1) : `${words.slice(0, words.length - up.length).join('/')}${path}`
  return {
    method: methods[letter] as CallMethod,
    path: `/${whole}`,
    when: when === undefined ? 'always' : when === '' ? 'sometimes' : { attribute: when },
  }
}
