#!/usr/bin/env node
// CommonJS, as is the program it starts: loading an ES module costs more than all the rest of this file. Nothing is
// loaded that the command does not need; the version is answered from here.
if (process.argv.length === 3 && /^(--version|-V|-v)$/.test(process.argv[2])) {
  process.stdout.write(`grantwise ${require('../package.json').version}\n`)
} else {
  require('node:module').enableCompileCache?.()
  require('../dist/program/cli.cjs').start(process)
}
