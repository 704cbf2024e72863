import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { walkFolder } from '../../src/cli/input/walk.ts'
import { openRecord } from '../../src/cli/live/record-file.ts'
import { openStateFile } from '../../src/cli/live/state-file.ts'
import { writeOutput } from '../../src/cli/output/outputs.ts'
import { makeFolder, replace, writeFile } from '../../src/cli/output/write.ts'

const top = mkdtempSync(join(tmpdir(), 'grantwise-write-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
let folder = top
let count = 0
beforeEach(() => {
  folder = join(top, `${count++}`)
  mkdirSync(folder)
})
const text = (name: string) => readFileSync(join(folder, name), 'utf8')

test('a file that is written again keeps its permissions', () => {
  const file = join(folder, 'a')
  for (const mode of [0o640, 0o600, 0o755]) {
    writeFileSync(file, 'before')
    chmodSync(file, mode)
    writeFile(file, 'after', folder)
    expect([text('a'), statSync(file).mode & 0o777]).toEqual(['after', mode])
  }
})

test('where writing fails, the file is as it was, and nothing is left next to it', () => {
  function* parts() {
    yield 'half'
    throw new Error('no more')
  }
  writeFileSync(join(folder, 'a'), 'before')
  expect(() => replace(join(folder, 'a'), parts(), 0o600)).toThrow('no more')
  expect([text('a'), readdirSync(folder)]).toEqual(['before', ['a']])
  mkdirSync(join(folder, 'b'))
  expect(() => replace(join(folder, 'b'), 'text')).toThrow()
  expect(readdirSync(folder)).toEqual(['a', 'b'])
})

// The superuser may write to every file: this can be tried as another user.
if (process.getuid?.() !== 0)
  test('a file that may not be written is not replaced', () => {
    writeFileSync(join(folder, 'a'), 'before', { mode: 0o400 })
    expect(() => writeFile(join(folder, 'a'), 'after', folder)).toThrow('permission denied')
    expect(text('a')).toBe('before')
  })

test('a folder is made with those around it, and where a file is in its place the message has its path as it is shown', () => {
  makeFolder(join(folder, 'a/b/c'), folder)
  makeFolder(join(folder, 'a/b/c'), folder)
  expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true)
  writeFileSync(join(folder, 'file'), 'text')
  for (const name of ['file', 'file/a', 'file/a/b'])
    expect(() => makeFolder(join(folder, name), folder)).toThrow(new RegExp(`^${name}: cannot be made a folder \\(E[A-Z]+\\)$`))
  expect(text('file')).toBe('text')
})

test('a report in a file is guarded as on standard output: annotations of a build server are kept in theirs', async () => {
  const written: string[] = []
  const write = async (_: string, each: string) => void written.push(each)
  const report = '::error file=a::b\n::set-output name=a::b\n##vso[task.logissue type=error;]c ##vso[d]\n'
  const [io, writing] = [{}, { write }] as unknown as [Parameters<typeof writeOutput>[2], Parameters<typeof writeOutput>[3]]
  for (const format of ['compact', 'github', 'azure']) await writeOutput({ format, file: 'out' }, report, io, writing)
  expect(written.map((each) => ['::error', '::set-output', '##vso[task', '##vso[d'].filter((command) => each.includes(command)))).toEqual([
    [],
    ['::error'],
    ['##vso[task'],
  ])
})

test('a record begins on a line of its own, behind half a line that was left', () => {
  for (const [before, after] of [
    ['', 'b\n'],
    ['a\n', 'a\nb\n'],
    ['half', 'half\nb\n'],
  ] as const) {
    writeFileSync(join(folder, 'calls'), before)
    const record = openRecord(join(folder, 'calls'))
    record.write('b\n')
    record.write('c\n')
    record.close()
    expect(text('calls')).toBe(`${after}c\n`)
  }
})

test('a folder that cannot be searched is a problem', () => {
  writeFileSync(join(folder, 'file'), '')
  for (const name of ['file', 'none']) {
    const { files, problems } = walkFolder({ top: join(folder, name), wants: () => true }, { cwd: folder })
    expect([files, problems.map(({ path, message }) => `${path}: ${message.slice(0, 18)}`)]).toEqual([
      [],
      [`${name}: cannot be searched`.slice(0, name.length + 20)],
    ])
  }
})

test('a state is read again in the order in which its records were made first', () => {
  const open = () => openStateFile(join(folder, 'state.db'), 'state.db')
  const first = open()
  first.commit([{ kind: 'token', key: 'z', value: { n: 1 } }])
  first.commit([
    { kind: 'token', key: 'a', value: { n: 2 } },
    { kind: 'account', key: 'b', value: { n: 3 } },
  ])
  first.commit([
    { kind: 'token', key: 'z', value: { n: 4 } },
    { kind: 'account', key: 'b' },
  ])
  first.close()
  const again = open()
  expect(Array.from(again.load(), ({ key, value }) => [key, value])).toEqual([
    ['z', { n: 4 }],
    ['a', { n: 2 }],
  ])
  again.close()
})
