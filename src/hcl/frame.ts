import type { Diagnostic } from '../diagnostic.ts'
import type { Span } from '../source.ts'
import type { Tools } from './tools.ts'
import type { Value } from './types.ts'
import { Exhausted, fingerprint, mark } from './values.ts'

export type Report = (problem: Diagnostic) => void

/** The limits of evaluation: its total cost, and how deep values may be nested. */
export interface Budget {
  left: number
  depth: number
}

/** Steps of evaluation for one configuration; a step is a part of an expression, an item or some letters. */
export const mostSteps = 200_000
export function spend(budget: Budget, steps: number, span: Span): void {
  budget.left -= steps
  if (budget.left < 0) throw new Exhausted(span, `evaluating this takes more than ${mostSteps} steps`)
}

/** The meaning of names in a module. Each gives undefined for a name that does not exist. */
export interface ModuleNames {
  /** Before addresses in it: `module.x.`. */
  readonly prefix: string
  readonly local: (name: string, span: Span) => Value | undefined
  readonly variable: (name: string, span: Span) => Value | undefined
  readonly child: (name: string, span: Span) => Value | undefined
  readonly resource: (type: string, name: string, span: Span) => Value | undefined
  /** `path.module` and its like. */
  readonly path?: (name: string) => string | undefined
  /** The whole path of a file by the path that a function is given; undefined for what is not below a known folder. */
  readonly place?: (path: string) => string | undefined
  /** Whether the name of a resource of this type is what is described under its address. */
  readonly isNamed: (type: string) => boolean
  /** A mark that distinguishes the value of an address from the same words with other dependencies: see `Inputs`. */
  readonly inputs?: (address: readonly string[]) => string | undefined
  /** The shape of what a reference yields, where its kind is known. */
  readonly shapeOf: (address: readonly string[]) => readonly string[] | undefined
}

/** Where no name means anything. */
export const noNames: ModuleNames = {
  prefix: '',
  local: () => undefined,
  variable: () => undefined,
  child: () => undefined,
  resource: () => undefined,
  isNamed: () => false,
  shapeOf: () => undefined,
}

export interface Frame {
  readonly names: ModuleNames
  /** `each`, `count` and the names of `for`. */
  readonly bound: ReadonlyMap<string, Value>
  /** Where names that are not known have their meaning. */
  readonly scope: string
  readonly budget: Budget
  /** The tools of functions. */
  readonly tools?: Tools
  /** Receives findings about expressions that are certainly mistakes. */
  readonly report?: Report
  /** How many `for` are around it: how deep they are distinguishes their items. */
  readonly loops?: number
}

/** A mark that distinguishes a value from those that are made at other places, in other modules, or of other items. */
export function markOf({ source, start, end }: Span, { names, bound }: Frame): string {
  const items = [...bound].map(([name, value]) => `${name} ${fingerprint(value)}`)
  return mark(source.path, `${start} ${source.text.slice(start, end)}`, names.prefix, ...items)
}
