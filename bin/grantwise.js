#!/usr/bin/env node
// CommonJS, as is the program it starts: loading an ES module costs more than all the rest of this file. Nothing is
// loaded that the command does not need; the version is answered from here.
function isToldHere() {
  if (process.argv.length !== 3 || !/^(--version|-V|-v)$/.test(process.argv[2])) return false
  const text = `grantwise ${require('../package.json').version}\n`
  try {
    return require('node:fs').writeSync(1, text) === text.length
  } catch {
    // The program knows what to say of an output that takes nothing.
    return false
  }
}

if (!isToldHere()) {
  const program = require('node:path').join(__dirname, '../dist/program')
  // Steps are counted in code that was compiled to count them: not in what a cache holds.
  const isCounted = process.argv.includes('--cost')
  const counter = isCounted ? require('../dist/program/cost.cjs').counterOf(program) : undefined
  // A single executable has compiled code in it, and loads files its own way.
  const { extensions } = require
  if (!isCounted && extensions)
    require('../dist/program/compile-cache.cjs').useCompileCache(program, module.constructor, extensions, process)
  require('../dist/program/cli.cjs').start(process, counter)
}
