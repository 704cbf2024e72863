import type { FileContext } from './facts.ts'
import { isConfiguration, isInert, isTest } from './kinds.ts'
import { credentialsIn, type Reach } from './reach.ts'

/** A credential that a file names, and a program that sends policies by it. */
export interface NamedCredential {
  readonly name: string
  readonly by: string
}

/**
 * The first credential of a program that deploys which a file names: what is in the file may use it, or hand it on. Not in pages, in tests
 * and in configurations, of which other rules know how they take values.
 */
export function credentialNamedIn(
  path: string,
  text: string,
  { repository }: FileContext,
  { programs }: Reach,
): NamedCredential | undefined {
  if (isInert(path) || isConfiguration(path) || isTest(path, repository)) return undefined
  const credentials = repository.once(credentialNamedIn, () => {
    const byName = new Map<string, string>()
    for (const program of programs)
      for (const name of [...credentialsIn(program.text), ...fromEnvironment(program.text)])
        if (isOfPolicies(name) && !byName.has(name)) byName.set(name, program.path)
    return byName
  })
  if (credentials.size === 0) return undefined
  const isOfContainers = /^\.devcontainer\/|(?:^|\/)\.gitpod\.ya?ml$/.test(path)
  const isDistinct = (name: string) => isOfContainers || name.split('_').some((word) => !plain.test(word))
  for (const [name] of text.matchAll(/(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{3,80}(?![A-Za-z0-9_])/g)) {
    const by = credentials.get(name)
    if (by !== undefined && by !== path && isDistinct(name)) return { name, by }
  }
  return undefined
}

/** The credentials that source code takes from its environment. */
const fromEnvironment = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /\b(?:environ(?:\.get)?|getenv|Getenv|LookupEnv|ENV(?:\.fetch)?|process\.env|env)\s*[[(.]\s*["'`]?([A-Z][A-Z0-9_]{3,80})\b/g,
    ),
  ].map(([, name]) => name as string)

/** Whether a name is one of a secret, and not of a service that keeps other things. */
const isOfPolicies = (name: string): boolean =>
  /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|_KEY$|_PAT$/.test(name) &&
  !/^(?:AWS|ARM|AZURE|GOOGLE|GCP|TF_VAR|VAULT|S3|DB|DATABASE|POSTGRES|MYSQL|REDIS)_/.test(name)

/** Words of a name that many programs have for secrets of their own. */
const plain =
  /^(?:API|ACCESS|AUTH|BEARER|TOKEN|SECRET|KEY|PASSWORD|PASSWD|CREDENTIALS?|CLIENT|APP|APPLICATION|CONSUMER|PRIVATE|ID|USER|ADMIN|DEPLOY|MY|THE|PAT|)$/
