#!/usr/bin/env node
// Nothing is loaded that the command does not need; the version is answered from here.
const builtin = (name) => process.getBuiltinModule(`node:${name}`)

if (process.argv.length === 3 && /^(--version|-V|-v)$/.test(process.argv[2])) {
  const { version } = JSON.parse(builtin('fs').readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  console.log(`grantwise ${version}`)
} else {
  builtin('module').enableCompileCache?.()
  const { start } = await import('../dist/cli.js')
  start(process)
}
