import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Language, Parser, type Tree } from 'web-tree-sitter'
import type { Grammar } from '../hcl/syntax.ts'

/** Where the compiled code is: beside the program, or in the packages that it is built from. */
const places: Readonly<Record<string, string>> = {
  'web-tree-sitter.wasm': 'web-tree-sitter',
  'tree-sitter-terraform.wasm': '@tree-sitter-grammars/tree-sitter-hcl',
}

function compiled(name: string): Uint8Array {
  const beside = join(__dirname, name)
  return readFileSync(existsSync(beside) ? beside : join(__dirname, '../../node_modules', places[name] as string, name))
}

let loaded: Promise<Grammar> | undefined

/** The grammar of HCL, loaded once. Nothing is fetched: its code comes with the program. */
export function loadGrammar(): Promise<Grammar> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Grammar> {
  await Parser.init({ wasmBinary: compiled('web-tree-sitter.wasm') })
  const parser = new Parser()
  parser.setLanguage(await Language.load(compiled('tree-sitter-terraform.wasm')))
  let last: Tree | null = null
  return (text) => {
    last?.delete()
    last = parser.parse(text)
    if (!last) throw new Error('the grammar gave no tree')
    return last.walk()
  }
}
