import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { changeWords } from '../../src/answers/difference.ts'
import { answerText } from '../../src/answers/text.ts'
import { answerWho } from '../../src/ask/access.ts'
import { diff } from '../../src/diff/diff.ts'
import { complete } from '../../src/editor/completion/complete.ts'
import { folding } from '../../src/editor/folding.ts'
import { hover } from '../../src/editor/hover.ts'
import { inlays } from '../../src/editor/inlays.ts'
import { lenses, resolveLens } from '../../src/editor/lenses.ts'
import { links } from '../../src/editor/links.ts'
import type { EditorFile, Workspace } from '../../src/editor/model.ts'
import { definition, references } from '../../src/editor/references.ts'
import { prepareRename, rename } from '../../src/editor/rename.ts'
import { documentSymbols, workspaceSymbols } from '../../src/editor/symbols.ts'
import { lintFiles } from '../../src/lint/lint-files.ts'
import { defaultSettings } from '../../src/names.ts'
import { paint } from '../../src/report/colour.ts'
import { conditionTexts } from '../../src/report/conditions.ts'
import { Names } from '../../src/report/names.ts'
import { notationOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { edited, inserted, now, sourceAt, workspaceFrom } from '../support/editing.ts'
import { effort } from '../support/effort.ts'

/** Laws of the features of editors for all texts. */

const root = new URL('../../examples/', import.meta.url).pathname
const filesBelow = (folder: string) =>
  readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json|tf|md)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    .sort()
const examples = filesBelow('')
const textOf = (path: string) => readFileSync(root + path, 'utf8')
const textsBelow = (folder: string) => Object.fromEntries(filesBelow(folder).map((path) => [path, textOf(path)]))
const catalogue = loadCatalogue()

async function findingsOf(texts: Readonly<Record<string, string>>) {
  const given = Object.entries(texts).map(([path, text]) => ({ source: sourceAt(path, text), isNamed: true }))
  return lintFiles({ files: await readSources(given, defaultSettings, allReaders), catalogue, now }).findings
}

const team = textsBelow('team')
const acme = textsBelow('acme')
const share = fc.double({ min: 0, max: 1, noNaN: true })
const at = <T>(items: readonly T[], where: number) => items[Math.min(items.length - 1, Math.floor(where * items.length))] as T

test('a completion in its place lints without an error about it', async () => {
  const policies = Object.entries({ ...team, ...acme }).filter(([path]) => path.includes('/policies/') && /\.(?:ya?ml|json)$/.test(path))
  const world = team['team/world.yaml'] as string
  let tried = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...policies), share, share, share, async ([path, text], which, kept, chosen) => {
      const whole = await workspaceFrom({ 'world.yaml': world, [path]: text })
      const spots = (whole.files.get(path) as EditorFile).spots(whole.settings).filter(({ role }) => role !== 'policyName')
      const { node } = at(spots, which)
      const isQuoted = node.quote !== ''
      const [start, end] = isQuoted ? [node.start + 1, node.end - 1] : [node.start, node.end]
      const offset = start + Math.floor(kept * (end - start))
      const cutText = text.slice(0, offset) + text.slice(end)
      const workspace = await workspaceFrom({ 'world.yaml': world, [path]: cutText })
      const found = complete(workspace, workspace.files.get(path) as EditorFile, offset).filter(
        (each) => !each.isOpen && each.kind !== 'field',
      )
      if (found.length === 0) return
      tried++
      const put = inserted(cutText, at(found, chosen), 'x')
      const about = (await findingsOf({ [path]: put.text })).filter(
        ({ severity, span }) => severity === 'error' && span.start < put.end && put.start < span.end,
      )
      expect(about.map(({ message }) => `${message}\n${put.text}`)).toEqual([])
    }),
    { numRuns: effort(600) },
  )
  expect(tried).toBeGreaterThan(effort(600) / 2)
})

test('a field in its place is one that is known, in YAML and in JSON', async () => {
  for (const [path, text] of Object.entries(team).filter(([path]) => path.includes('/policies/'))) {
    const isJson = path.endsWith('.json')
    const begun = isJson ? text.replace(/\n\}\s*$/, '\n  \n}\n') : `${text.trimEnd()}\n`
    const offset = isJson ? begun.length - 3 : begun.length
    const workspace = await workspaceFrom({ [path]: begun })
    const found = complete(workspace, workspace.files.get(path) as EditorFile, offset)
    expect(found.map(({ kind }) => kind)).toContain('field')
    for (const each of found) {
      const put = inserted(begun, each, '2027-01-31T00:00:00Z')
      const key = put.text.indexOf(each.label, put.start)
      const about = (await findingsOf({ [path]: put.text })).filter(
        ({ severity, span }) => severity === 'error' && span.start <= key && key < span.end && span.end - span.start < 30,
      )
      expect(about.map(({ message }) => `${message}\n${put.text}`)).toEqual([])
    }
  }
})

test('after renaming, lint finds the same and questions have the same answers', async () => {
  let renamed = 0
  const before = new Map<object, { readonly workspace: Workspace; readonly lines: readonly string[] }>()
  for (const texts of [team, acme])
    before.set(texts, { workspace: await workspaceFrom(texts), lines: lines(await findingsOf(policiesOf(texts)), '', '') })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(team, acme),
      share,
      fc.stringMatching(/^[a-z]{4,9}zq$/),
      fc.array(fc.tuple(share, share, share), { minLength: 5, maxLength: 5 }),
      async (texts, which, to, asked) => {
        const { workspace, lines: old } = before.get(texts) as { readonly workspace: Workspace; readonly lines: readonly string[] }
        const all = [...workspace.files.values()].flatMap((file) => file.occurrences(workspace.settings).map((each) => ({ file, each })))
        const { file, each } = at(all, which)
        const { edits } = rename(workspace, file, each.range.start + 1, to)
        if (!edits) return
        renamed++
        const after = { ...texts, ...Object.fromEntries([...edits].map(([path, own]) => [path, edited(texts[path] as string, own)])) }
        const prepared = prepareRename(workspace, file, each.range.start + 1)
        const name = prepared.error === undefined ? prepared.name : ''
        const next = await workspaceFrom(after)
        expect(lines(await findingsOf(policiesOf(after)), to, name)).toEqual(old)
        const { identities, resources } = workspace.world
        for (const [who, what, where] of asked) {
          const question = {
            identity: at([...identities.keys()], who),
            action: at(catalogue.actionsOf(what < 0.5 ? 'vps' : 'webHosting'), what),
            resource: at([...resources.keys()], where),
            at: now,
            groups: [],
          }
          const groupsOf = (space: Workspace, urn: string) => space.world.identities.get(urn)?.groups ?? []
          const fresh = each.kind === 'identity' && question.identity === each.text ? each.text.replace(/[^/]*$/, to) : question.identity
          const first = workspace.engine.verdict({ ...question, groups: groupsOf(workspace, question.identity) })
          expect(next.engine.verdict({ ...question, identity: fresh, groups: groupsOf(next, fresh) })).toBe(first)
        }
      },
    ),
    { numRuns: effort(150) },
  )
  expect(renamed).toBeGreaterThan(0)
})

const policiesOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).filter(([path]) => /policies\/|world\.yaml$/.test(path)))

/** Findings without their columns, a name in the place of another. */
function lines(findings: Awaited<ReturnType<typeof findingsOf>>, from: string, to: string): readonly string[] {
  return findings
    .map(({ code, message, span }) => `${span.source.path} ${code} ${from === '' ? message : message.replaceAll(from, to)}`)
    .sort()
}

test('what refers to something is found again from its definition', async () => {
  let seen = 0
  for (const texts of [team, acme, textsBelow('terraform'), textsBelow('tests')]) {
    const workspace = await workspaceFrom(texts)
    for (const file of workspace.files.values()) {
      for (const { range, path } of file.occurrences(workspace.settings)) {
        for (const place of definition(workspace, file, range.start)) {
          seen++
          const found = references(workspace, workspace.files.get(place.path) as EditorFile, place.start)
          expect(
            found.some((each) => each.path === path && each.start <= range.start && range.start <= each.end),
            `${path}:${range.start}`,
          ).toBe(true)
        }
      }
    }
  }
  expect(seen).toBeGreaterThan(100)
})

test('no feature throws, or leaves the text, whatever is written', async () => {
  const typed = fc.oneof(
    fc.string(),
    fc.constantFrom('"', '{', '[', '- ', ': ', '${', '\n', '*', '#', 'urn:v1:', "'", '<<E', '\ufeff', '```yaml\n'),
  )
  const cases = fc.record({ path: fc.constantFrom(...examples), from: share, cut: share, offset: share, typed, name: fc.string() })
  await fc.assert(
    fc.asyncProperty(cases, async ({ path, from, cut, offset, typed, name }) => {
      const text = textOf(path)
      // Half of them are starts of a file, the others have a part taken out.
      const start = Math.floor(from * text.length)
      const written = text.slice(0, start) + typed + (cut < 0.5 ? '' : text.slice(start + Math.floor((cut - 0.5) * 100)))
      const workspace = await workspaceFrom({ [path]: written, 'world.yaml': team['team/world.yaml'] as string }, { [path]: text })
      const file = workspace.files.get(path) as EditorFile
      const places = [start + typed.length, Math.floor(offset * written.length)].filter((place) => place <= written.length)
      for (const place of places) {
        for (const { range } of complete(workspace, file, place))
          expect(range.start <= place && place <= range.end && range.end <= written.length).toBe(true)
        const shown = hover(workspace, file, place)
        if (shown) expect(shown.range.start <= shown.range.end && shown.range.end <= written.length).toBe(true)
        definition(workspace, file, place)
        references(workspace, file, place)
        prepareRename(workspace, file, place)
        for (const [at, edits] of rename(workspace, file, place, name).edits ?? [])
          expect(() => edited((workspace.files.get(at) as EditorFile).source.text, edits)).not.toThrow()
      }
      for (const { at } of inlays(workspace, file, { start: 0, end: written.length })) expect(at).toBeLessThanOrEqual(written.length)
      const [lens] = lenses(workspace, file)
      if (lens) await resolveLens(workspace, file, lens)
      links(workspace, file)
      folding(file)
      documentSymbols(file)
      workspaceSymbols(workspace, name)
    }),
    { numRuns: effort(1500) },
  )
})

test('the examples are of every notation', () => {
  expect(new Set(examples.map(notationOf))).toEqual(new Set(['yaml', 'json', 'hcl', undefined]))
})

test('lenses answer as all policies together do', async () => {
  let compared = 0
  for (const texts of [team, acme]) {
    const paths = Object.keys(texts).filter((path) => /policies\/.*\.yaml$/.test(path))
    for (const path of paths) {
      const text = texts[path] as string
      // The committed text lacks its last entry of a list.
      const entry = text.lastIndexOf('\n    - action:')
      const committed = entry < 0 ? `${text}# more\n` : text.slice(0, entry) + text.slice(text.indexOf('\n', entry + 1))
      const workspace = await workspaceFrom(texts, { [path]: committed })
      const file = workspace.files.get(path) as EditorFile
      const { world: old } = await workspaceFrom({ ...texts, [path]: committed })
      for (const lens of lenses(workspace, file)) {
        const { markdown } = await resolveLens(workspace, file, lens)
        compared++
        if (lens.kind === 'grants') {
          const whole = changeWords(diff(old, workspace.world, { catalogue, within: { from: now } }), new Names([old, workspace.world]))
          expect(markdown.split('\n')[0]).toBe(whole.summary)
          for (const { who } of [...whole.gained, ...whole.lost]) expect(markdown).toContain(who[0])
        } else {
          const policy = workspace.world.policies.find(({ span, name }) => span.source === file.source && name.value === lens.about)
          const [allow] = policy?.permissions.allow ?? []
          if (!allow || !policy) continue
          const asked = { action: allow.value.text, resource: policy.resources[0]?.value.text as string, context: { groups: [], at: now } }
          const { answer, from } = answerWho(workspace.world, asked, {}, catalogue)
          const wording = { names: new Names([workspace.world]), when: conditionTexts({ from }), from }
          const whole = answerText(answer, { paint: paint(false), wording, width: 100 })
          expect(markdown).toContain(whole.trimEnd())
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(20)
})
