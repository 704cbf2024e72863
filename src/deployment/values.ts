import { readHcl } from '../hcl/parse.ts'
import { nameIn } from '../hcl/paths.ts'
import { sourceOf } from '../source.ts'
import type { ChangedFile, Fact, Repository } from './facts.ts'

/** Files of which nothing says that they give values: those that Terraform reads without being told are read with the policies. */
const readAlways = /(?:^|\/)(?:terraform\.tfvars|[^/]*\.auto\.tfvars)(?:\.json)?$/
const configuration = /\.(?:tf|tofu)(?:\.json)?$|\.hcl(?:\.json)?$/
const mostBytes = 256 * 1024

/** Facts of files that hold nothing but values of variables that a configuration with policies declares. */
export function valueFacts({ path, text, policies, repository }: ChangedFile): readonly Fact[] {
  if (!policies.inTerraform || readAlways.test(path) || configuration.test(path) || text.length > mostBytes) return []
  const names = namesIn(path, text)
  if (names.length === 0) return []
  const declared = declaredIn(policies.files, repository)
  if (!names.every((name) => declared.has(name))) return []
  return [
    {
      path,
      why: `it has a value for the variable \`${names[0]}\`, and may be named when the configuration is applied`,
      mark: `${path} ${text}`,
    },
  ]
}

/** The variables that a file would give values to; none where it holds anything else. */
function namesIn(path: string, text: string): readonly string[] {
  if (/^\s*\{/.test(text)) {
    try {
      const value = JSON.parse(text) as unknown
      return typeof value === 'object' && value !== null ? Object.keys(value).filter((key) => key !== '//') : []
    } catch {
      return []
    }
  }
  if (!/^\s*"?[A-Za-z_][\w-]*"?\s*[=:]/m.test(text)) return []
  if (/\.ya?ml$/.test(path)) return [...text.matchAll(/^([A-Za-z_][\w-]*):/gm)].map((match) => match[1] as string)
  const { body } = readHcl(sourceOf(path, text, 'hcl'), undefined)
  return body && body.blocks.length === 0 ? body.attributes.map(({ name }) => name) : []
}

/** The variables of the folders with policies, and of those that call them. */
function declaredIn(files: readonly string[], repository: Repository): ReadonlySet<string> {
  const folders = new Set(files.map((path) => path.slice(0, path.length - nameIn(path).length)))
  const near = repository.paths.filter((path) => /\.(?:tf|tofu)(?:\.json)?$/.test(path))
  const texts = near.flatMap((path) => {
    const folder = path.slice(0, path.length - nameIn(path).length)
    const text = folders.has(folder) || /\bmodule\b/.test(repository.text(path) ?? '') ? repository.text(path) : undefined
    return text === undefined ? [] : [text]
  })
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bvariable\s{1,20}"([\w-]+)"/g)].map((match) => match[1] as string)))
}
