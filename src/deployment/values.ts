import { readHcl } from '../hcl/parse.ts'
import { folderOf } from '../hcl/paths.ts'
import { printed } from '../hcl/print.ts'
import { sourceOf } from '../source.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { isConfiguration } from './kinds.ts'

/** Files of which nothing says that they give values: those that Terraform reads by their names are read with the policies. */
const readAlways = /(?:^|\/)(?:terraform\.tfvars|[^/]*\.auto\.tfvars)(?:\.json)?$/
const configuration = /\.(?:tf|tofu)(?:\.json)?$|\.hcl(?:\.json)?$/
const mostBytes = 256 * 1024

/** Facts of files that hold nothing but values of variables that a configuration with policies declares. */
export function valueFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies } = file
  if (!policies.inTerraform || readAlways.test(path) || configuration.test(path) || text.length > mostBytes) return []
  const { names, mark } = valuesIn(path, text)
  if (names.length === 0) return []
  const declared = declaredIn(file)
  if (!names.every((name) => declared.has(name))) return []
  const why = `it has a value for the variable \`${names[0]}\`, and may be named when the configuration is applied`
  return [fact(file, why, path, mark)]
}

interface Values {
  readonly names: readonly string[]
  /** The values as a text, without comments and layout where they can be read. */
  readonly mark: string
}

/** The variables that a file would give values to; none where it holds anything else. */
function valuesIn(path: string, text: string): Values {
  const names = /^\s*\{/.test(text) || /\.ya?ml$/.test(path) ? namesIn(text) : undefined
  if (names !== undefined || !/^[ \t\ufeff]*"?[A-Za-z_][\w-]*"?\s*[=:]/m.test(text)) return { names: names ?? [], mark: text }
  const { body } = readHcl(sourceOf(path, text, 'hcl'), undefined)
  if (!body || body.blocks.length > 0) return { names: [], mark: text }
  return {
    names: body.attributes.map(({ name }) => name),
    mark: body.attributes.map(({ name, value }) => `${name} = ${printed(value)}`).join('\n'),
  }
}

function namesIn(text: string): readonly string[] {
  if (/^\s*\{/.test(text)) {
    try {
      const value = JSON.parse(text) as unknown
      return typeof value === 'object' && value !== null ? Object.keys(value).filter((key) => key !== '//') : []
    } catch {
      return []
    }
  }
  return [...text.matchAll(/^([A-Za-z_][\w-]*):/gm)].map((match) => match[1] as string)
}

/** The variables of the folders with policies, and of those that call modules. */
function declaredIn({ policies, repository }: ChangedFile): ReadonlySet<string> {
  return repository.once(declaredIn, () => {
    const folders = new Set(policies.files.map(folderOf))
    const configurations = repository
      .texts(isConfiguration)
      .filter(({ path, text }) => folders.has(folderOf(path)) || /\bmodule\b/.test(text))
    return new Set(
      configurations.flatMap(({ text }) =>
        [...text.matchAll(/\bvariable\s{1,20}"([\w-]+)"|"variable"\s*:\s*\{\s*"([\w-]+)"/g)].map(
          (match) => (match[1] ?? match[2]) as string,
        ),
      ),
    )
  })
}
