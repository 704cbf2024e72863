import { fileURLToPath } from 'node:url'

/** Where programs are that an engine needs, as the script that installs them knows it. */
export interface Places {
  readonly python: string
  readonly trino: string
  readonly java?: string
  readonly postgres?: string
  readonly initdb?: string
}

const script: { readonly places: () => Places } = await import(new URL('../../scripts/engines.mjs', import.meta.url).href)

export const { places } = script

/** The path of a file of this folder. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A program that must be there: an engine that is missing fails a test, it is not left out. */
export function needed(program: string | undefined): string {
  if (program === undefined) throw new Error('an engine is missing: node scripts/engines.mjs install')
  return program
}
