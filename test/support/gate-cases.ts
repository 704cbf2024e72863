import { readdirSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

/** Content of a file: its text, or null where it is removed. */
export type Content =
  | string
  | null
  | { readonly text: string; readonly mode: string }
  | { readonly link: string }
  | { readonly commit: string }
  | { readonly base64: string }

export interface RepositoryCase {
  readonly base?: Readonly<Record<string, Content>>
  readonly change?: Readonly<Record<string, Content>>
  readonly after_base?: readonly string[]
  readonly after_change?: readonly string[]
}

/** One case of `test/bypass`: its README says what the fields mean. */
export interface GateCase extends RepositoryCase {
  readonly title: string
  readonly access: 'gained' | 'lost' | 'same' | 'unclear'
  readonly commands: readonly {
    readonly run: string
    readonly exit: number
    readonly says?: readonly string[]
    readonly never?: readonly string[]
  }[]
}

const folder = new URL('../bypass/', import.meta.url)

/** All cases by the names of their files. A file holds one or several documents; `shared` of the first is for its anchors. */
export function gateCases(): ReadonlyMap<string, readonly GateCase[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return new Map(names.sort().map((name) => [name, casesIn(name, readFileSync(new URL(name, folder), 'utf8'))]))
}

function casesIn(name: string, text: string): readonly GateCase[] {
  const documents = parseAllDocuments(text, { merge: true })
  return documents.flatMap((document) => {
    if (document.errors[0]) throw new Error(`${name}: ${document.errors[0].message}`)
    // The files are our own: names for what many cases share may be many.
    const value = document.toJS({ maxAliasCount: -1 })
    return 'cases' in value ? value.cases : [value]
  })
}

const made = (await import(new URL('../../conformance/gate/repository.mjs', import.meta.url).href)) as {
  readonly makeRepository: (each: RepositoryCase, folder: string) => void
  readonly gitEnvironment: Readonly<Record<string, string>>
}

export const { makeRepository, gitEnvironment } = made
