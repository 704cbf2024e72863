// The configurations of the commit that a change starts from, and whether they are the same with the files of the change.
//
//   node configurations.mjs list COMMIT TOP TREE BIN CONFIGURATION...      the files that make them up, NUL-terminated
//   node configurations.mjs compare COMMIT TOP TREE BIN CONFIGURATION...   the files that the change puts in their place, NUL-terminated
//
// TOP: the checkout; TREE: a folder that `list` makes of the files of the commit that may be configurations, and of the packages that
// are installed in the checkout; CONFIGURATION: relative to both.
// `compare` exits with 2, and says why on standard error, where a configuration differs for any other reason.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

const [mode, commit, top, tree, bin, ...configurations] = process.argv.slice(2)
const data = /\.(?:ya?ml|json)$/i
/** The most files of installed packages that are looked at. */
const mostFiles = 5_000

const isBelow = (path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`)
const inTop = (file) => relative(top, file)
const textOf = (file) => (data.test(file) && lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : '')
const foldersUp = (folder) => (folder === '.' ? ['.'] : [folder, ...foldersUp(dirname(folder))])

/** Whether a configuration may extend something; a text may hide the word behind an escape. */
const extendsSome = (text) => /extends|\\/.test(text)

const git = (args, input = '') => execFileSync('git', ['-C', top, '--literal-pathspecs', ...args], { input, maxBuffer: 1 << 30 })

/** Writes what the commit holds: its bytes, whatever attributes the change gives to them, and links that stay within. */
function writeTree() {
  mkdirSync(join(tree, '.git'), { recursive: true })
  const entries = git(['ls-tree', '-r', '-z', '--full-tree', commit])
    .toString('utf8')
    .split('\0')
    .slice(0, -1)
    .map((line) => {
      const tab = line.indexOf('\t')
      const [kind, , id] = line.slice(0, tab).split(' ')
      return { isLink: kind === '120000', isFile: kind.startsWith('100'), id, path: line.slice(tab + 1) }
    })
  const wanted = entries.filter(({ isLink, isFile, path }) => isLink || (isFile && data.test(path)))
  const answers = git(['cat-file', '--batch'], wanted.map(({ id }) => `${id}\n`).join(''))
  let at = 0
  const links = []
  for (const { isLink, path } of wanted) {
    const end = answers.indexOf(10, at)
    const size = Number(answers.toString('latin1', at, end).split(' ')[2])
    const bytes = answers.subarray(end + 1, end + 1 + size)
    at = end + size + 2
    if (isLink) links.push([path, bytes.toString('utf8')])
    else {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), bytes)
    }
  }
  for (const [path, target] of links)
    if (isBelow(relative(tree, resolve(tree, dirname(path), target)))) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      symlinkSync(target, join(tree, path))
    }
}

let copied = 0

/** Copies what may be configurations of a folder: no links, and no packages in packages, which are found by themselves. */
function copyFolder(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
      copyFolder(join(from, entry.name), join(to, entry.name))
    if (!entry.isFile() || !data.test(entry.name) || existsSync(join(to, entry.name))) continue
    if (copied++ >= mostFiles) throw new Error(`more than ${mostFiles} files in the packages that configurations extend`)
    mkdirSync(to, { recursive: true })
    copyFileSync(join(from, entry.name), join(to, entry.name))
  }
}

/** Puts an installed package into the tree. What the change itself holds in such a place is not installed, and not put there. */
function provide(path) {
  const [from, to] = [join(top, path), join(tree, path)]
  if (existsSync(to) || !existsSync(from)) return
  const real = realpathSync(from)
  const place = inTop(real)
  if (!isBelow(place)) return
  const held = git(['ls-files', '-z', '--', path, place])
  mkdirSync(dirname(to), { recursive: true })
  // A package of the repository itself is that of the commit.
  if (existsSync(join(tree, place))) symlinkSync(relative(realpathSync(dirname(to)), join(realpathSync(tree), place)), to)
  else if (held.length === 0) copyFolder(real, to)
}

/** Puts the packages into the tree that texts may name, and those that these name. */
function providePackages() {
  const seen = new Set()
  const open = configurations.map((file) => file)
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const text = textOf(join(tree, file))
    if (!extendsSome(text)) continue
    for (const name of new Set(text.match(/[@\w~.-][\w~./-]*/g) ?? [])) {
      const beside = join(dirname(file), name)
      if (isBelow(beside) && data.test(name)) open.push(beside)
      const [first = '', second = ''] = name.split('/')
      const parts = first.startsWith('@') ? [first, second] : [first]
      if (parts.some((part) => part === '' || /^\.*$/.test(part))) continue
      for (const folder of foldersUp(dirname(file))) {
        const path = join(folder, 'node_modules', ...parts)
        provide(path)
        if (!existsSync(join(tree, path))) continue
        open.push(...readdirSync(join(tree, path)).map((each) => join(path, each)))
        if (data.test(name)) open.push(join(folder, 'node_modules', name))
      }
    }
  }
}

/** What a configuration comes to in a folder: undefined, and what is wrong, where it is not in order. */
function printed(folder, file) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [bin, 'lint', '--config', file, '--print-config', join(dirname(file), '-.yaml')],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  return status === 0 ? { text: stdout, files: JSON.parse(stdout).configurations } : { files: [], fault: stderr }
}

/** A file as it is called without links, from a folder; undefined where it is outside. */
function realIn(folder, file) {
  const path = relative(realpathSync(folder), realpathSync(resolve(folder, file)))
  return isBelow(path) ? path.split(sep).join('/') : undefined
}

function list() {
  writeTree()
  providePackages()
  const all = configurations.flatMap((file) => [
    file,
    ...(extendsSome(textOf(join(tree, file))) ? printed(tree, file).files.flatMap((each) => realIn(tree, each) ?? []) : []),
  ])
  return [...new Set(all)]
}

function compare() {
  const added = new Set()
  for (const file of configurations) {
    if (!extendsSome(textOf(join(tree, file)))) continue
    const [before, after] = [printed(tree, file), printed(top, file)]
    // What is wrong on both sides is reported by the run itself.
    if (before.text === after.text) continue
    const others = after.files.filter((each) => !before.files.includes(each) && !existsSync(join(tree, each)))
    if (others.length === 0) {
      const why = after.fault ?? before.fault ?? 'it comes to something else'
      process.stderr.write(`grantwise: ${file}: with the files of this change it is not what the base says:\n${why.trimEnd()}\n`)
      process.exit(2)
    }
    for (const each of others) added.add(each)
  }
  return [...added]
}

if (basename(tree) === '' || !['list', 'compare'].includes(mode)) process.exit(2)
try {
  for (const file of mode === 'list' ? list() : compare()) process.stdout.write(`${file}\0`)
} catch (error) {
  process.stderr.write(`grantwise: the configuration of the base cannot be resolved: ${error.message}\n`)
  process.exit(2)
}
