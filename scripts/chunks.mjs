// Turns the chunks of an ES module build into few CommonJS files, which start faster than as many ES modules.
import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { init, parse } from 'es-module-lexer'

/**
 * The files of a program, by name. `outputs` and `metafile`: an esbuild build with `splitting`. `groups`: for each file
 * that is to hold several chunks, from the first on, which chunks those are: those that all of these entry points load at
 * start. Every other chunk is a file of its own.
 *
 * In a file of several chunks each is a function that runs once, when it is first asked for. What a chunk takes from
 * another is bound to constants, which cost nothing to use; this needs chunks that do not import one another in a circle.
 */
export async function commonJs({ outputFiles, metafile }, groups) {
  await init
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), chunkOf(text)]))
  const nameOfEntry = (entry) => basename(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === entry))
  const fileOf = new Map([...chunks.keys()].map((name) => [name, undefined]))
  for (const [file, entries] of groups) {
    const [first, ...others] = entries.map((entry) => closureOf(nameOfEntry(entry), chunks))
    for (const name of first) if (fileOf.get(name) === undefined && others.every((each) => each.has(name))) fileOf.set(name, file)
  }
  const files = new Map()
  for (const [name, file = name.replace(/\.js$/, '.cjs')] of fileOf) files.set(file, [...(files.get(file) ?? []), name])

  const isShared = (file) => groups.has(file)
  const target = (name) => fileOf.get(name) ?? name.replace(/\.js$/, '.cjs')
  /** The expression that gives what a chunk exports, in code that is in a file. `required`: the expression of another file. */
  const reference = (name, from, required) => {
    const file = target(name)
    const module = file === from ? 'exports' : required(file)
    return isShared(file) ? `${module}[${JSON.stringify(name)}]()` : module
  }
  const codeOf = (name, file) => {
    const { imports, body, exports } = chunks.get(name)
    const expression = (path, required) => (chunks.has(basename(path)) ? reference(basename(path), file, required) : builtin(path))
    const bound = imports.map(({ path, names }) => `${names === '' ? '' : `const ${names}=`}${expression(path, constantOf)};`)
    const code = body
      .map((part) => (part.path === undefined ? part : `Promise.resolve().then(()=>${expression(part.path, requireOf)})`))
      .join('')
    return { code: `${bound.join('')}${code}`, exports: `{${exports.map(({ name, local }) => `${name}:${local}`).join(',')}}` }
  }
  /** Each other file is asked for once: Node looks for it again each time, even if it is loaded. */
  const constantsOf = (file, names) => {
    const paths = names.flatMap((name) => chunks.get(name).imports.map(({ path }) => basename(path)))
    const others = new Set(paths.filter((path) => chunks.has(path)).map(target))
    others.delete(file)
    return [...others].map((other) => `const ${constantOf(other)}=${requireOf(other)};`).join('')
  }
  const once = 'const once=(make)=>{let made;return()=>made??=make()};'
  return new Map(
    [...files].map(([file, names]) => {
      const parts = names.map((name) => [name, codeOf(name, file)])
      const head = `"use strict";${constantsOf(file, names)}`
      if (!isShared(file)) return [file, `${head}${parts.map(([, { code, exports }]) => `${code}module.exports=${exports};`).join('')}`]
      const functions = parts.map(
        ([name, { code, exports }]) => `exports[${JSON.stringify(name)}]=once((function(){${code}return${exports}}));\n`,
      )
      const [, entry] = /^(.*)\.cjs$/.exec(file)
      const start = chunks.has(`${entry}.js`) ? `Object.assign(exports,exports["${entry}.js"]());\n` : ''
      return [file, `${head}${once}\n${functions.join('')}${start}`]
    }),
  )
}

const requireOf = (file) => `require("./${file}")`

/** The name of a file's exports in another: longer than those that are left of names when they are made short. */
const constantOf = (file) => `file_${file.replace(/\.cjs$/, '').replace(/\W/g, '_')}`

/**
 * The expression that gives a module of Node's own: not a `require`, which a bundler that makes ES modules of CommonJS
 * leaves as a call that fails.
 */
function builtin(path) {
  if (!isBuiltin(path)) throw new Error(`a chunk imports what is not in the bundle: ${path}`)
  return `process.getBuiltinModule(${JSON.stringify(path)})`
}

/**
 * A bundled ES module as CommonJS. Each line stays one, so that `map`, the address of the source map of the module, is right for both.
 * What it imports is bound to constants: no modules may import one another in a circle.
 */
export function commonJsModule(text, map) {
  const [imports, exports] = parse(text)
  const edits = imports.flatMap(({ n: path, s, ss, se, d }) => {
    if (d === -2) throw new Error(`a module asks where it stands: ${text.slice(ss, se)}`)
    if (path === undefined) return []
    const required = isBuiltin(path) ? builtin(path) : `require(${JSON.stringify(path)})`
    if (d >= 0) return [{ start: ss, end: se, code: `Promise.resolve().then(() => ${required})` }]
    const clause = text.slice(ss + 'import'.length, s).replace(/\s*from\s*["']$/, '')
    return [{ start: ss, end: se, code: `const ${boundBy(clause.trim(), isBuiltin(path))} = ${required}` }]
  })
  if (exports.length > 0) {
    const start = text.slice(0, exports[0].s).lastIndexOf('export')
    const end = text.indexOf('}', exports.at(-1).e) + 1
    const list = /^export\s*(\{[^{}]*\})$/.exec(text.slice(start, end))?.[1]
    if (list === undefined) throw new Error('a module exports in a way that is not known')
    edits.push({
      start,
      end,
      code: `module.exports = ${list.replace(/([\w$]+)\s+as\s+([\w$]+)/g, (_, local, name) => `${name}: ${local}`)}`,
    })
  }
  let code = text
  for (const each of edits.toSorted((a, b) => b.start - a.start)) code = code.slice(0, each.start) + each.code + code.slice(each.end)
  // The bundler writes a comment with the name of the source into the first line.
  const strict = code.startsWith('// ') ? code.replace(/.*/, '"use strict";') : `"use strict";${code}`
  return strict.replace(/(?<=\n\/\/# sourceMappingURL=).*/, () => map)
}

/** The names that an `import` statement binds, as the left side of an assignment, in the same lines. */
function boundBy(clause, isBuiltinModule) {
  if (clause.startsWith('{')) return clause.replace(/\s+as\s+/g, ': ')
  if (clause.startsWith('*')) return clause.replace(/^\*\s*as\s+/, '')
  return isBuiltinModule ? clause : `{ default: ${clause} }`
}

/** A chunk without its `import` and `export` statements, which are given apart; places of `import()` as `{ path }`. */
export function chunkOf(text) {
  const [imports, exports] = parse(text)
  const body = []
  const bound = []
  let at = 0
  for (const { n: path, ss, se, d } of imports) {
    if (d === -2) throw new Error(`a chunk asks where it stands: ${text.slice(ss, se)}`)
    // Modules that users name, as ES modules: they stay imports.
    if (path === undefined) continue
    body.push(text.slice(at, ss))
    if (d >= 0) body.push({ path })
    else bound.push({ path, names: namesOf(text.slice(ss, se)) })
    at = se
  }
  const rest = text.slice(at)
  const end = rest.lastIndexOf('export{')
  if (exports.length > 0 && end < 0) throw new Error('a chunk exports in a way that is not known')
  body.push(exports.length > 0 ? rest.slice(0, end) : rest)
  return { imports: bound, body, exports: exports.map(({ n, ln }) => ({ name: n, local: ln })) }
}

/** The names that an `import` statement binds, as the left side of an assignment: '' for none. */
function namesOf(statement) {
  const [, clause = ''] = /^import\s*(.*?)\s*(?:from\s*)?["'][^"']*["']$/s.exec(statement) ?? []
  const [, list] = /\{(.*)\}/s.exec(clause) ?? []
  if (list !== undefined) return `{${list.replace(/\s+as\s+/g, ':')}}`
  return clause.replace(/^\*\s*as\s+/, '')
}

/** The chunks that one loads at start, itself among them. */
export function closureOf(name, chunks, open = []) {
  if (open.includes(name)) throw new Error(`chunks import one another in a circle: ${[...open, name].join(' > ')}`)
  const found = new Set([name])
  for (const { path } of chunks.get(name).imports)
    if (chunks.has(basename(path))) for (const each of closureOf(basename(path), chunks, [...open, name])) found.add(each)
  return found
}
