import { dirname, join, relative, resolve } from 'node:path'
import { buildWorld } from '../../parser/world.ts'
import type { GrantTime, RefusedAccess, Replayed } from '../../propose/claim.ts'
import { accessSlug, type GrantEdit, grantEdit } from '../../propose/grant-policy.ts'
import { grantTestText } from '../../propose/grant-test.ts'
import { grantPlace, isPlain, isPolicyFileName, newFileText, withLineEnds, withPolicies } from '../../propose/place.ts'
import type { Changed } from '../../propose/suggest.ts'
import { type File, type Read, rewrite } from '../../propose/write.ts'
import { firstFew } from '../../report/words.ts'
import { decide } from '../../simulate/decide.ts'
import { notationOf, sourceOf } from '../../source.ts'
import type { Options } from '../app/commands.ts'
import { type Io, ioWith } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { git } from './git.ts'
import { pathsOf } from './policies.ts'
import { type CommittedFile, differingFrom, type Head, newFileFault } from './proposed-branch.ts'
import { decode } from './read-file.ts'
import type { LoadedWorld } from './world.ts'

/** The files of a proposal: a policy in the layout of the file that it goes into, and policy tests. */

/** An edit with the files that it changes. */
export interface Edited {
  readonly edit: GrantEdit
  readonly changes: readonly Changed[]
  readonly committed: readonly CommittedFile[]
  /** All files, as they would be. */
  readonly files: readonly File[]
}

/** The input of an edit. */
export interface Editing {
  readonly head: Head
  readonly loaded: LoadedWorld
  readonly access: RefusedAccess
  readonly time: GrantTime
  readonly given: Options<'call'>
  readonly io: Io
}

/** The smallest edit that allows refused access, written into a file of the repository or a new one. */
export async function editOf(editing: Editing & { readonly description: string; readonly read: Read }): Promise<Edited> {
  const { head, access, time, given, io, description, read } = editing
  const { world, sources } = editing.loaded
  const edit = grantEdit(world, access, time, description)
  const changed = async (before: File, after: File): Promise<Edited> => {
    const { source } = before
    const path = resolve(io.cwd, source.path)
    if (differingFrom(head, [path], io).has(path))
      throw new Refusal(
        `${source.path}: differs from HEAD, from which the branch starts`,
        'commit the change or take it back, or name another file: `--file FILE`',
      )
    const text = withLineEnds(after.source.text, source.text)
    return {
      edit,
      changes: [{ path: source.path, before: source.text, after: text }],
      committed: [{ path, bytes: bytesLike(path, source.text, text, head, io) }],
      files: sources.map((file) => (file.source === source ? after : file)),
    }
  }
  if (edit.kind === 'renewal') {
    const file = sources.find(({ source }) => source === edit.policy.span.source)
    const pair = file && (await rewrite([file], edit.revision, read)).files[0]
    if (file && pair?.after && pair.after !== file) return changed(file, pair.after)
    const live = { ...world, policies: world.policies.map((policy) => (policy === edit.policy ? { ...policy, readOnly: true } : policy)) }
    return newPolicies(grantEdit(live, access, time, description))
  }
  return newPolicies(edit)

  async function newPolicies(edit: GrantEdit): Promise<Edited> {
    if (edit.kind !== 'new-policies') throw new Refusal('no edit was found')
    const place = placeOf(given, sources, io)
    if ('file' in place) {
      const after = await withPolicies(place.file, edit.policies, read)
      if (after) return { ...(await changed(place.file, after)), edit }
      throw new Refusal(
        `${place.file.source.path}: no policy can be added to it: it has no list of policies, or a layout that is not understood`,
        'name a new file: `--file FILE`',
      )
    }
    const path = freshPath(place)
    const shownPath = displayPath(path, io.cwd)
    const text = newFileText(edit.policies, place.notation)
    const source = sourceOf(shownPath, text, place.notation)
    const file: File = { source, read: await read(source) }
    return {
      edit,
      changes: [{ path: shownPath, before: undefined, after: text }],
      committed: [{ path, bytes: Buffer.from(text) }],
      files: [...sources, file],
    }
  }

  function freshPath({ path, folder = '', notation }: Exclude<Place, { readonly file: File }>): string {
    if (path === undefined) return freshFile(resolve(io.cwd, folder, accessSlug(access)), `.${notation}`, head, io)
    const fault = newFileFault(path, head, io)
    if (fault) throw new Refusal(`--file ${fault.message}`, 'name another file')
    return path
  }
}

const testName = /\.iamtest\.(?:ya?ml|json)$/

/** The file for policy tests: the one that is named, else one in the only folder that has some, else next to the policy. */
function testPath({ committed }: Edited, head: Head, access: RefusedAccess, { test }: Options<'call'>, io: Io): string {
  if (test !== undefined) {
    const path = resolve(io.cwd, test)
    const fault = testName.test(path) ? newFileFault(path, head, io) : { message: `${test}: not a name of a file of policy tests` }
    if (fault) throw new Refusal(`--test ${fault.message}`, 'name a new file that ends in `.iamtest.yaml`')
    return path
  }
  const folders = new Set([...head.modes.keys()].filter((path) => testName.test(path)).map((path) => dirname(path)))
  const [only] = folders
  const folder = folders.size === 1 && only !== undefined ? only : dirname(committed[0]?.path ?? head.top)
  return freshFile(join(folder, accessSlug(access)), '.iamtest.yaml', head, io)
}

/** A name of a file that does not exist. */
function freshFile(base: string, ending: string, head: Head, io: Io): string {
  for (let i = 1; ; i++) {
    const file = `${base}${i === 1 ? '' : `-${i}`}${ending}`
    const fault = newFileFault(file, head, io)
    if (!fault) return file
    if (!fault.isTaken || i > mostNames) throw new Refusal(fault.message, 'name a file for the policy: `--file FILE`')
  }
}

const mostNames = 1_000

type Place = { readonly file: File } | { readonly path?: string; readonly folder?: string; readonly notation: 'yaml' | 'json' }

/** The file for new policies: the one that is named, or the only one that it can be. */
function placeOf({ file: named }: Options<'call'>, sources: readonly File[], io: Io): Place {
  if (named !== undefined) {
    const path = resolve(io.cwd, named)
    const existing = sources.find(({ source }) => resolve(io.cwd, source.path) === path)
    if (existing && !isPlain(existing)) throw declaredRefusal([named])
    if (existing) return { file: existing }
    if (!isPolicyFileName(path))
      throw new Refusal(`--file ${named}: policies are written into files whose names end in .yaml, .yml or .json`, 'name such a file')
    return { path, notation: notationOf(path) === 'json' ? 'json' : 'yaml' }
  }
  const place = grantPlace(sources)
  if (place.kind === 'append') return { file: place.file }
  if (place.kind === 'new') return place
  if (place.kind === 'declared') throw declaredRefusal(place.paths)
  throw new Refusal(
    place.paths.length === 0
      ? '`--propose` adds a policy to the files of policies, and HEAD has none'
      : `the new policy may go into several files: ${firstFew(place.paths, 5)}`,
    'name one, or a new one: `--file FILE`',
  )
}

const declaredRefusal = (paths: readonly string[]) =>
  new Refusal(
    `${firstFew(paths, 3)}: policies are declared there for a tool, or shown in a document, and no policy is written into such files`,
    'without `--propose`, the policy to add is printed, and `grantwise convert` writes it for Terraform; `--file FILE` names a file of plain policies',
  )

/** The bytes of a changed file: with the byte order mark that it has in HEAD. */
function bytesLike(path: string, before: string, after: string, { commit, top }: Head, io: Io): Buffer {
  const { text } = decode(git(['cat-file', 'blob', `${commit}:${portable(relative(top, path))}`], ioWith(io, { cwd: top })))
  const mark = text === before ? '' : text === `\ufeff${before}` ? '\ufeff' : undefined
  if (mark === undefined)
    throw new Refusal(
      `${displayPath(path, io.cwd)}: is read otherwise than HEAD has it, and is not edited`,
      'name another file: `--file FILE`',
    )
  return Buffer.from(after.startsWith('\ufeff') ? after : mark + after)
}

/** The file of policy tests. */
export interface PolicyTest extends CommittedFile {
  readonly shownPath: string
  readonly text: string
}

/** The file of policy tests that the edit passes, and HEAD does not. */
export function testOf(edited: Edited, { head, loaded, access, time, given, io }: Editing): PolicyTest {
  const { world: before, config } = loaded
  const { world: after, diagnostics } = buildWorld(edited.files.map((file) => file.read.facts))
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  if (wrong) throw new Refusal(`with the new policy, the policies have an error: ${wrong.message}`, 'name another file: `--file FILE`')
  const path = testPath(edited, head, access, given, io)
  const folder = dirname(path)
  const instants = [time.from, ...(time.expires === undefined ? [] : [time.expires, time.expires + 1000])]
  const replay = instants.flatMap((instant) =>
    access.questions.flatMap((asked): readonly Replayed[] => {
      const question = { ...asked, at: instant }
      const verdicts = { before: decide(before, question).verdict, after: decide(after, question).verdict }
      return verdicts.after === 'unknown' ? [] : [{ question, ...verdicts }]
    }),
  )
  const paths = given.policies.length === 0 ? undefined : pathsOf(given.policies, config)
  const seen = paths?.map((each) => portable(relative(folder, resolve(io.cwd, each))) || '.')
  const text = grantTestText(replay, seen)
  return { path, shownPath: displayPath(path, io.cwd), text, bytes: Buffer.from(text) }
}
