import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { credentialNamedIn } from './credentials.ts'
import { essenceIn } from './essence.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { isProgram, isYaml } from './kinds.ts'
import { isStructured, partsOf } from './pipelines.ts'
import { deployedBy, writesIn } from './pushes.ts'
import { reachOf } from './reach.ts'
import { isRecord } from './records.ts'
import { writtenValue } from './written.ts'

/** Generators of documentation that run code of the repository: where it is, and how they are called. */
const generators: readonly (readonly [code: RegExp, command: RegExp])[] = [
  [
    /(?:^|\/)(?:docs?|documentation|source|doc\/source|sphinx)\/(?:[\w.-]+\/){0,9}[\w.-]+\.py$|(?:^|\/)conf\.py$/,
    /\bsphinx-(?:build|autobuild|multiversion)\b|-m\s+sphinx\b|\bmake\s+(?:-C\s+\S+\s+)?(?:html|dirhtml|docs)\b/,
  ],
  [
    /(?:^|\/)mkdocs[\w.-]*\.ya?ml$|(?:^|\/)(?:docs?|hooks|overrides|mkdocs\w*)\/(?:[\w.-]+\/){0,9}[\w.-]+\.py$|(?:^|\/)\w*hooks?\w*\.py$/,
    /\bmkdocs\s+(?:-\S+\s+)*(?:build|gh-deploy)\b|\bmike\s+deploy\b|-m\s+mkdocs\b/,
  ],
  [/(?:^|\/)_plugins\/[\w./-]+\.rb$/, /\bjekyll\s+(?:build|b)\b/],
]

/** Facts of code that a generator of documentation runs in a job that may push, or that has a credential by which policies are sent. */
export async function generatedFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  const commands = generators.flatMap(([code, command]) => (code.test(path) ? [command] : []))
  if (commands.length === 0) return []
  const runs = (each: string) => commands.some((command) => command.test(each))
  for (const pipeline of repository.texts((each) => isYaml(each) && isProgram(each) && isStructured(each))) {
    if (!runs(pipeline.text)) continue
    const parts = (await partsOf(pipeline.path, pipeline.text)).filter((part) => runs(part.text))
    const by = parts.length > 0 && (await mayPush(pipeline.path, pipeline.text)) ? await deployedBy(file) : undefined
    const mark = await markOf(path, text)
    if (by !== undefined)
      return [fact(file, `\`${pipeline.path}\` runs it and may push, and pushes run \`${by}\`, which deploys`, path, mark)]
    const reach = await reachOf(file)
    for (const part of parts) {
      const credential = credentialNamedIn(pipeline.path, part.text, file, reach)
      if (credential)
        return [
          fact(file, `\`${pipeline.path}\` runs it with \`${credential.name}\`, by which \`${credential.by}\` sends policies`, path, mark),
        ]
    }
  }
  return []
}

/** Whether a job of a workflow that runs such a generator may push. */
async function mayPush(path: string, text: string): Promise<boolean> {
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  if (!isRecord(value) || !isRecord(value.jobs)) return false
  return Object.values(value.jobs).some((job) => isRecord(job) && writesIn(job.permissions ?? value.permissions).length > 0)
}

/** The part of settings that names code, or of code what is run. */
async function markOf(path: string, text: string): Promise<unknown> {
  if (!isYaml(path)) return essenceIn(path, text)
  const { documents, refused } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  if (refused || !isRecord(value)) return text
  const { hooks, plugins, markdown_extensions: extensions, theme, INHERIT } = value
  return [hooks, plugins, extensions, isRecord(theme) ? theme.custom_dir : null, INHERIT]
}
