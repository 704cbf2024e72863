import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter'
import type { Cursor, Grammar } from '../../hcl/syntax.ts'

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
  const language = await Language.load(compiled('tree-sitter-terraform.wasm'))
  const parser = new Parser()
  parser.setLanguage(language)
  let last: Tree | null = null
  return (text) => {
    last?.delete()
    last = parser.parse(text)
    return last && !last.rootNode.hasError ? walk(last.walk(), language) : undefined
  }
}

/** A cursor that tells the types of nodes by number: their names do not cross over each time. */
function walk(cursor: TreeCursor, { types }: Language): Cursor {
  return {
    get nodeType() {
      return types[cursor.nodeTypeId] ?? ''
    },
    get startIndex() {
      return cursor.startIndex
    },
    get endIndex() {
      return cursor.endIndex
    },
    gotoFirstChild: () => cursor.gotoFirstChild(),
    gotoNextSibling: () => cursor.gotoNextSibling(),
    gotoParent: () => cursor.gotoParent(),
  }
}
