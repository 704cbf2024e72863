import { glob, matches } from '../glob.ts'
import { folderOf } from '../hcl/paths.ts'
import { type ChangedFile, type Fact, fact, type Repository } from './facts.ts'
import { isConfiguration } from './kinds.ts'

/** A call that asks for a file, or for those that match a pattern, with a text without calls in it. */
const asking = /\b(file\w*|templatefile)\(\s*((?:"(?:[^"\\]|\\.)*"|[^"(),])*)(?:,\s*"([^"]*)")?/g

/**
 * Facts of files that a configuration asks for and that the repository does not have: a pipeline, or Terraform itself, may make them
 * before the configuration is applied. Without such a file, `fileexists` is false here, and `try` goes on.
 */
export function untrackedFacts({ path, text, policies, repository }: ChangedFile): readonly Fact[] {
  if (!policies.inTerraform || !isConfiguration(path)) return []
  const plainText = path.endsWith('.json') ? text.replaceAll('\\"', '"') : text
  const calls = [...plainText.matchAll(asking)].flatMap(([call, name, asked = '', pattern]) => {
    const place = literalOf(asked, folderOf(path))
    if (place === undefined) return []
    const isThere =
      name === 'fileset' ? pattern === undefined || hasOnlyTracked(place, pattern, repository) : repository.paths.includes(place)
    return isThere ? [] : [call]
  })
  return calls.length === 0 ? [] : [fact({ path }, 'it asks for files that the repository does not have', calls.sort())]
}

/** The path of a literal argument from the top of the repository; undefined where it is worked out. */
function literalOf(asked: string, folder: string): string | undefined {
  const written = asked
    .trim()
    .replace(/^"([^"]*)"$/, '$1')
    .replace(/^\$\{path\.(?:module|root|cwd)\}|^path\.(?:module|root|cwd)$/, '.')
  if (/[${}]|^\//.test(written) || (!asked.trim().startsWith('"') && written !== '.')) return undefined
  const parts: string[] = folder === '' ? [] : folder.split('/')
  for (const part of written.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Whether a pattern matches files of the repository, and none that Terraform makes next to a configuration. */
function hasOnlyTracked(place: string, pattern: string, { paths }: Repository): boolean {
  const whole = glob(pattern.replaceAll('**/', '*'))
  if (made.some((each) => matches(whole, each)) && paths.some((each) => folderOf(each) === place && isConfiguration(each))) return false
  const start = place === '' ? '' : `${place}/`
  return paths.some((each) => each.startsWith(start) && matches(whole, each.slice(start.length)))
}

/** Files that Terraform makes in the folder that it works in. */
const made = ['.terraform/modules/modules.json', '.terraform/terraform.tfstate', '.terraform/environment', 'terraform.tfstate']
