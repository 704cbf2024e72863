// Runs a command as the executable does, and writes what V8 has made of each file by then.
// usage: node warm.cjs MAIN ROOT FOLDER COMMAND…      MAIN: main.cjs; ROOT: of the package; FOLDER: for the caches
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

const [node, , main, root, folder, ...command] = process.argv
const scripts = new Map()

class Script extends vm.Script {
  constructor(code, options) {
    super(code, options)
    scripts.set(options.filename.replace('/$grantwise/', ''), this)
  }
}
const sea = { getAsset: (name, encoding) => (name === 'cached.json' ? '[]' : readFileSync(join(root, name), encoding)) }
const given = { 'node:sea': sea, 'node:vm': { ...vm, Script } }

process.argv = [node, node, ...command]
process.on('exit', () => {
  for (const [name, script] of scripts) {
    const file = join(folder, `${name}.cache`)
    if (existsSync(file)) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, script.createCachedData())
  }
})
vm.compileFunction(readFileSync(main, 'utf8'), ['require'])((name) => given[name] ?? require(name))
