import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { anonymised, type Reproduction } from '../../anonymise/anonymise.ts'
import { nearestName } from '../../nearest.ts'
import type { Policy, World } from '../../policy.ts'
import { headLines, reproductionNotes, reproductionPaths, reproductionText } from '../../report/anonymise.ts'
import { guardNotation, json, shown } from '../../report/safe.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { displayPath, isBelow } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { questionArguments, readContext } from '../input/question.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { unknownNamesIn } from '../input/unknown.ts'
import { fromFiles, loadQuestion } from '../input/world.ts'
import { makeFolder } from '../output/write.ts'
import { type Writing, writingOf } from '../output/writing.ts'

/** `anonymise IDENTITY ACTION RESOURCE`: a question and what answers it, under other names. */
export const run: Run<'anonymise'> = async (args, options, io) => {
  const { output, mapping } = options
  const writing = writingOf(options, io)
  if (output === undefined && mapping === undefined) writing.refuseIdle('name the folder to write: -o FOLDER')
  const folder = output === undefined ? undefined : resolve(io.cwd, output)
  const privateFile = mapping === undefined ? undefined : resolve(io.cwd, mapping)
  if (folder !== undefined) checkFolder(folder, io)
  if (privateFile !== undefined) checkMapping(privateFile, folder, io)
  const asked = questionArguments('anonymise', args)
  // Suppositions are in the names of the input, and standard output is shared: they go to standard error.
  const read = await loadQuestion(asked, readContext(options, io), { ...options, format: 'diff' }, io, fromFiles)
  if (!read) {
    io.stderr.write('grantwise: to report what is said of a file with errors, write by hand a small one that has the same error\n')
    return exit.error
  }
  const { question, loaded } = read
  const { world, settings, sources } = loaded
  const texts = [...sources.map(({ source }) => source.text), ...asked, ...options.group, ...options.tag, options.owner ?? '']
  const made = await anonymised(
    { world, question, texts, brand: settings.brand, isKept: keptBy(options.keep, world), actions: options.renameActions },
    budgetFor(io),
  )
  if ('problem' in made)
    throw new Refusal(`nothing is written: ${shown(made.problem)}`, 'replace the names that are at fault in a copy of the files by hand')
  if (privateFile !== undefined) {
    const others = sources.flatMap(({ source }) => resolve(io.cwd, source.path))
    await guardInputs([{ option: '--mapping', file: privateFile }], { files: [] }, others, settings, io)
  }
  // First: where it cannot be written, nothing else is.
  if (privateFile !== undefined) await writeMapping(made, privateFile, writing, io)
  if (folder === undefined) io.stdout.write(headLines(made, ['FILE']) + made.whole, guardNotation)
  else io.stdout.write(reproductionText(made, await writeFiles(made, folder, writing, io)))
  const isDecided = made.decision.reason !== 'default' && made.decision.reason !== 'unknown'
  const notes = [...(await unknownNamesIn(question, loaded, isDecided, io)), ...reproductionNotes(made)]
  for (const note of notes) io.stderr.write(`grantwise: note: ${shown(note)}\n`)
  return writing.exitCode(exit.success)
}

/** Refuse a folder that holds anything: it would be shared, too, or be written over. */
function checkFolder(folder: string, { cwd }: Io): void {
  const path = displayPath(folder, cwd)
  try {
    if (readdirSync(folder).length === 0) return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new Refusal(`-o: ${path}: ${code === 'ENOTDIR' ? 'a file, expected a folder' : `cannot be read (${code})`}`)
  }
  throw new Refusal(`-o: ${path}: holds files, which would be shared as well`, 'name a new folder, or an empty one')
}

function checkMapping(file: string, folder: string | undefined, io: Io): void {
  checkTargets([{ option: '--mapping', file }], io)
  if (folder !== undefined && isBelow(file, folder))
    throw new Refusal(
      `--mapping: ${displayPath(file, io.cwd)}: in the folder that is shared, and it turns the names back`,
      'name a file in another folder',
    )
}

/** Whether a policy is one of those to keep, by their names. Throws a refusal for a name that no policy has. */
function keptBy(names: readonly string[], { policies }: World): (policy: Policy) => boolean {
  const policyNames = new Set(policies.map(({ name }) => name.value))
  for (const name of names) {
    if (policyNames.has(name)) continue
    const closest = nearestName(name, policyNames)
    throw new Refusal(
      `--keep \`${shown(name)}\`: no policy has this name`,
      closest === undefined ? undefined : `did you mean \`${shown(closest)}\`?`,
    )
  }
  const wanted = new Set(names)
  return ({ name }) => wanted.has(name.value)
}

/** Write the files of a reproduction; the names by which they are reported. */
async function writeFiles(made: Reproduction, folder: string, writing: Writing, io: Io): Promise<readonly string[]> {
  const paths = reproductionPaths(made)
  const head = headLines(made, paths)
  const files = [
    ['policies.yaml', head + made.policies],
    ...(made.world === undefined ? [] : [['world.yaml', made.world] as const]),
    ['question.iamtest.yaml', head + made.test],
  ] as const
  if (!writing.isDry) makeFolder(folder, io.cwd)
  for (const [name, text] of files) await writing.write(join(folder, name), text, { inNewFolder: true })
  return files.map(([name]) => displayPath(join(folder, name), io.cwd))
}

async function writeMapping({ mapping }: Reproduction, file: string, writing: Writing, io: Io): Promise<void> {
  const lines = mapping.map(([name, replacement]) => `  ${json(name)}: ${json(replacement)}`)
  await writing.write(file, `{\n${lines.join(',\n')}\n}\n`)
  if (!writing.isDry) io.stderr.write(`grantwise: wrote ${shown(displayPath(file, io.cwd))}: it turns the names back, do not share it\n`)
}
