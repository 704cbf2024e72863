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

const read = (await import(new URL('../../scripts/conformance/gate-cases.mjs', import.meta.url).href)) as {
  readonly gateCases: () => ReadonlyMap<string, readonly GateCase[]>
}

/** All cases by the names of their files, each with all of its files. */
export const { gateCases } = read

const made = (await import(new URL('../../conformance/gate/repository.mjs', import.meta.url).href)) as {
  readonly makeRepository: (each: RepositoryCase, folder: string) => void
  readonly gitEnvironment: Readonly<Record<string, string>>
}

export const { makeRepository, gitEnvironment } = made
