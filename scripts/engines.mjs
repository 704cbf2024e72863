// Installs the SQL engines of `npm run test:engines` that npm does not have: node scripts/engines.mjs install
// Postgres and Java come from Debian, ClickHouse (chdb), Spark and sqlglot from PyPI, Trino from Maven Central; versions are in
// scripts/engines. What is installed stays in a folder of the user, or in GRANTWISE_ENGINES, and is not fetched again.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const declared = join(import.meta.dirname, 'engines')
const folder = process.env.GRANTWISE_ENGINES ?? join(homedir(), '.cache/grantwise/engines')

/** A folder for what a file declares: another text, another folder. */
function folderOf(name, file) {
  const digest = createHash('sha256')
    .update(readFileSync(join(declared, file)))
    .digest('hex')
  return join(folder, `${name}-${digest.slice(0, 12)}`)
}

const python = folderOf('python', 'requirements.txt')
const trino = folderOf('trino', 'pom.xml')

/** Folders in which a program may be: Debian keeps those of Postgres apart. */
const folders = () => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [...(process.env.PATH ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))]
}
const pathOf = (program) =>
  folders()
    .map((each) => join(each, program))
    .find(existsSync)

/** Where the tests find what is installed; a program that is missing is undefined. */
export const places = () => ({
  python: join(python, 'bin/python'),
  trino,
  java: pathOf('java'),
  postgres: pathOf('postgres'),
  initdb: pathOf('initdb'),
})

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** Programs that Debian has, fetched where they are missing and may be. */
function debian(programs, packages) {
  if (programs.every(pathOf)) return
  if (process.getuid?.() !== 0 || !pathOf('apt-get')) throw new Error(`${programs.join(', ')}: install ${packages.join(', ')}`)
  run('apt-get', 'update', '-qq')
  run('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** Fill a folder, once: what was not completed is made anew. */
function fill(target, make) {
  const mark = join(target, 'complete')
  if (existsSync(mark)) return
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  make()
  writeFileSync(mark, '')
}

function install() {
  debian(['postgres', 'initdb'], ['postgresql'])
  debian(['javac'], ['openjdk-17-jdk-headless'])
  debian(['mvn'], ['maven'])
  fill(python, () => {
    run('python3', '-m', 'venv', python)
    // Without what the packages bring for data frames: 400 MB that SQL does not need.
    run(places().python, '-m', 'pip', 'install', '--quiet', '--no-deps', '-r', join(declared, 'requirements.txt'))
  })
  fill(trino, () => run('mvn', '-q', '-f', join(declared, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${trino}`))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.slice(2).join() !== 'install') throw new Error('expected: node scripts/engines.mjs install')
  install()
}
