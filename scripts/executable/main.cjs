// What a single executable starts with. It runs the files of the package that the executable carries, as Node would run
// them from a folder: they require one another by relative names, and threads are started with their names.
const { getAsset } = require('node:sea')
const { posix } = require('node:path')
const { constants, Script } = require('node:vm')
const threads = require('node:worker_threads')

const entry = 'bin/grantwise.js'
// A name that no file system has.
const root = '/$grantwise'
/** The files that there is a code cache for. */
const cached = new Set(JSON.parse(getAsset('cached.json', 'utf8')))
const modules = new Map()

/** What a file exports, by its name in the package. */
function load(name) {
  const known = modules.get(name)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  modules.set(name, module)
  const text = getAsset(name, 'utf8')
  if (name.endsWith('.json')) module.exports = JSON.parse(text)
  else
    wrapped(name, text).call(
      module.exports,
      module.exports,
      (path) => required(path, name),
      module,
      `${root}/${name}`,
      posix.dirname(`${root}/${name}`),
    )
  return module.exports
}

function wrapped(name, text) {
  // A shell's first line is none of a function's.
  const code = `(function (exports, require, module, __filename, __dirname) {${text.replace(/^#!.*/, '')}\n})`
  const cachedData = cached.has(name) ? Buffer.from(getAsset(`${name}.cache`)) : undefined
  // Rule modules are imported from folders, as Node does it.
  const importing = text.includes('import(') && { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  return new Script(code, { filename: `${root}/${name}`, cachedData, ...importing }).runInThisContext()
}

function required(path, from) {
  return path.startsWith('.') ? load(posix.join(posix.dirname(from), path)) : process.getBuiltinModule(path)
}

/** A thread is started with the name of a file: here with this code, and which of the files that is. */
class Worker extends threads.Worker {
  constructor(file, options) {
    const name = String(file).startsWith(`${root}/`) ? file.slice(root.length + 1) : entry
    super(`${getAsset('main.cjs', 'utf8')}\nload(${JSON.stringify(name)})`, { ...options, eval: true })
  }
}

// Node says of this constant that it may change; users can do nothing about that.
const { emitWarning } = process
process.emitWarning = (warning, ...details) => {
  if (!/USE_MAIN_CONTEXT_DEFAULT_LOADER/.test(warning)) emitWarning.call(process, warning, ...details)
}

const builtin = process.getBuiltinModule.bind(process)
process.getBuiltinModule = (name) => (name === 'node:worker_threads' ? { ...threads, Worker } : builtin(name))

if (threads.isMainThread) load(entry)
