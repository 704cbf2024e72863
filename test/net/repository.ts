import type { PolicyJson } from '../support/worlds.ts'

/** The entry at a path of a commit. Text is written as UTF-8. */
export type Content = string | Uint8Array | { readonly link: string } | { readonly module: string }

export type Tree = Map<string, Content>

/** The contents of a repository on one side, with what only a deployment finds out: what other programs bring to it. */
export interface Side {
  readonly tree: Tree
  /** Policies of the configuration of Terraform and of OpenTofu, by construction. */
  readonly terraform: PolicyJson[]
  readonly tofu: PolicyJson[]
  /** Policies that a deployment finds where the repository only points: another repository, a large file, a module. */
  readonly elsewhere: PolicyJson[]
}

export interface Repository {
  readonly before: Side
  readonly after: Side
  /** The changes of it, in a few words each. */
  readonly tale: string[]
  /** It needs git: attributes, links to other repositories, names of commits. */
  needsGit: boolean
  /** Tags that the change brings, each at the commit of the change. */
  readonly tags: string[]
  /** The deployment runs filters of the attributes. */
  hasFilters: boolean
}

export const newSide = (): Side => ({ tree: new Map(), terraform: [], tofu: [], elsewhere: [] })

export function copyOf({ tree, terraform, tofu, elsewhere }: Side): Side {
  return { tree: new Map(tree), terraform: [...terraform], tofu: [...tofu], elsewhere: [...elsewhere] }
}

export const users = ['ann', 'bob']
export const verbs = ['reboot', 'terminate', 'reinstall']
export const machines = ['a', 'b']
export const identityOf = (user: string) => `urn:v1:eu:identity:user:ab12-svc/${user}`
export const actionOf = (verb: string) => `vps:apisvc:${verb}`
export const resourceOf = (machine: string) => `urn:v1:eu:resource:vps:${machine}`

/** A policy of a few names. */
export function policyOf(name: string, user: string, effect: 'allow' | 'deny', given: readonly string[], machine: string): PolicyJson {
  return {
    name,
    identities: [identityOf(user)],
    resources: [{ urn: resourceOf(machine) }],
    permissions: { [effect]: given.map((verb) => ({ action: actionOf(verb) })) },
  }
}
