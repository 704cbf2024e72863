import type { DeploymentChange, Repository } from './facts.ts'

/** Lists of the packages that are installed, and manifests. */
const lists =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml|yarn\.lock|bun\.lock|deno\.(?:lock|jsonc?))$/

/** Lists of versions that change what they say of packages with configurations by which two states are read. */
export function extendedChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  packages: readonly string[],
): readonly DeploymentChange[] {
  return paths.flatMap((path) => {
    if (!lists.test(path)) return []
    const name = packages.find((each) => aboutPackage(before.text(path), path, each) !== aboutPackage(after.text(path), path, each))
    return name === undefined
      ? []
      : [{ path, why: `it has another version of \`${name}\`, which the configuration extends and which says what is read and compared` }]
  })
}

/** The lines about a package: of a list of versions also those below, with its digest. */
function aboutPackage(text: string | undefined, path: string, name: string): string {
  const lines = (text ?? '').split('\n')
  const below = /package\.json$/.test(path) ? 0 : 5
  const isAbout = (line: string) =>
    line.split(/[^\w@/.-]+/).some((word) => word === name || word.endsWith(`/${name}`) || word.startsWith(`${name}@`))
  return lines.flatMap((line, i) => (isAbout(line) ? lines.slice(i, i + below + 1) : [])).join('\n')
}
