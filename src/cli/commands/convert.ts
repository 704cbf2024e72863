import { dirname, resolve } from 'node:path'
import { type Converted, converted, simplestNotation, type Target } from '../../convert/convert.ts'
import { beyondLiteral } from '../../convert/literal.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import { readHclJson } from '../../hcl/json.ts'
import { type Configuration, type Folder, readConfiguration } from '../../hcl/module.ts'
import { readHcl } from '../../hcl/parse.ts'
import { readingOf } from '../../hcl/read.ts'
import type { HclFile } from '../../hcl/syntax.ts'
import { commentsIn } from '../../parser/comments.ts'
import { isCredential } from '../../parser/credential.ts'
import { kindOf } from '../../parser/policy.ts'
import { treeOf } from '../../parser/tree.ts'
import { isHcl, type Source, type Span, sourceOf } from '../../source.ts'
import type { Node } from '../../tree.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { pair } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { decidable, readFiles } from '../input/world.ts'
import { diagnosticLines } from '../output/diagnostics.ts'
import { writingOf } from '../output/writing.ts'

/** `convert --to json|yaml|hcl`: policies and groups in another notation. */
export const run: Run<'convert'> = async (paths, options, io) => {
  const { to: target } = options
  const writing = writingOf(options, io)
  if (options.out === undefined) writing.refuseIdle('name the file to write: --out FILE')
  if (target === undefined) throw new Refusal('`--to` is missing: the notation to write', 'use `--to json`, `--to yaml` or `--to hcl`')
  const urns = new Map(
    options.urn.map((each) => pair('--urn', each, 'ADDRESS=URN')).map(([address, urn]) => [address.replace(/\.urn$/, ''), urn]),
  )
  const { settings, policies } = await loadConfig(options, io)
  const read = await readFiles({ paths: paths.length > 0 ? paths : (policies ?? ['.']) }, settings, io)
  if (!decidable(read, io, { nothing: 'nothing is converted of' })) return exit.error
  const prefix = settings.resourcePrefix ?? settings.brand

  const files = read.each.flatMap(({ source, read: { holdsPolicies } }) => (holdsPolicies ? [source] : []))
  const configurations = configurationsOf(
    files.filter(({ notation }) => isHcl(notation)),
    prefix,
  )
  const { documents, comments, refused, notes } = await literalOf(files, configurations, urns, prefix)
  const unused = [...urns.keys()].filter((address) => ![...configurations.values()].some(({ file }) => addressed(file, address)))
  if (unused[0] !== undefined)
    throw new Refusal(
      `--urn \`${unused[0]}\`: no group has this address`,
      'the address is TYPE.NAME, as in `svc_iam_permissions_group.readers`',
    )

  const result = refused.length === 0 ? converted({ documents, comments }, target, prefix) : undefined
  const problems = [...refused, ...(result?.refused ?? [])]
  if (!result || result.text === undefined || problems.length > 0) {
    io.stderr.write(diagnosticLines(problems))
    io.stderr.write('grantwise: nothing is converted\n')
    return exit.error
  }
  if (!result.isRight(await again(result, target, prefix)))
    throw new Refusal(
      `these policies cannot be written in ${target} without changing their meaning`,
      'convert the files one by one to find the cause',
    )
  const out = options.out
  if (out === undefined) io.stdout.write(result.text)
  else await writing.write(resolve(io.cwd, out), result.text)
  io.stderr.write(diagnosticLines([...notes, ...result.notes]))
  if (result.comments > 0)
    io.stderr.write(
      `grantwise: ${result.comments} ${result.comments === 1 ? 'comment is' : 'comments are'} omitted: JSON has no comments\n`,
    )
  return writing.exitCode(exit.success)
}

/** The documents of the files, what cannot be converted, and what is lost. */
async function literalOf(
  files: readonly Source[],
  configurations: ReadonlyMap<Source, Part>,
  urns: ReadonlyMap<string, string>,
  prefix: string,
) {
  const [documents, comments]: [Node[], Span[]] = [[], []]
  const [refused, notes]: [Diagnostic[], Diagnostic[]] = [[], []]
  for (const source of files) {
    const configuration = configurations.get(source)
    if (configuration) {
      const beyond = beyondLiteral(configuration.file, prefix)
      refused.push(...beyond.refused)
      notes.push(...beyond.notes)
      documents.push(...readingOf(configuration.file, [configuration.whole]).documents.map((each) => simplestNotation(each, urns)))
      comments.push(...configuration.file.comments)
      continue
    }
    if (source.notation === 'markdown')
      throw new Refusal(`${source.path}: Markdown is not converted`, 'copy the policy to a file of its own')
    const reading = await treeOf(source)
    refused.push(...reading.documents.flatMap(notOurs))
    documents.push(...reading.documents)
    comments.push(...(source.notation === 'yaml' ? commentsIn(source, reading.documents) : (reading.comments ?? [])))
  }
  return { documents, comments, refused, notes }
}

/** Plans, manifests and the like say what policies are, and are none themselves. */
function notOurs(document: Node): readonly Diagnostic[] {
  if (kindOf(document) !== undefined || isCredential(document)) return []
  const { source, start } = document
  const span = { source, start, end: start + 1 }
  return [{ code: 'convert', severity: 'error', message: 'not a policy, a list of policies or a world: only these are converted', span }]
}

interface Part {
  readonly file: HclFile
  readonly whole: Configuration
}

/** Files of configurations, those of a folder together: other files are not asked, since what is in them is not literal here. */
function configurationsOf(sources: readonly Source[], prefix: string): ReadonlyMap<Source, Part> {
  const parts = new Map<Source, Part>()
  if (sources.length === 0) return parts
  for (const name of new Set(sources.map(({ path }) => dirname(path)))) {
    const files = sources
      .filter(({ path }) => dirname(path) === name)
      .map((source) =>
        source.notation === 'hcl-json' ? readHclJson(source, /\.tfvars\.json$/i.test(source.path)) : readHcl(source, `${prefix}_iam_`),
      )
    const folder: Folder = { path: name, name, files, values: [] }
    const whole = readConfiguration(folder, new Map([[name, folder]]), { prefix })
    for (const file of files) parts.set(file.source, { file, whole })
  }
  return parts
}

function addressed({ body }: HclFile, address: string): boolean {
  return body?.blocks.some(({ type, labels }) => type === 'resource' && labels.join('.') === address) === true
}

/** The converted text, read again. */
async function again({ text = '' }: Converted, target: Target, prefix: string): Promise<readonly Node[]> {
  const source = sourceOf(target === 'hcl' ? 'main.tf' : `out.${target}`, text)
  if (target !== 'hcl') return (await treeOf(source)).documents
  const part = configurationsOf([source], prefix).get(source)
  return part ? readingOf(part.file, [part.whole]).documents : []
}
