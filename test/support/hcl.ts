import { createHash } from 'node:crypto'
import { compile } from '../../src/cli/input/hcl-patterns.ts'
import { readHclJson } from '../../src/hcl/json.ts'
import { type Configuration, type Folder, readConfiguration, type Settings } from '../../src/hcl/module.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import type { HclFile } from '../../src/hcl/syntax.ts'
import type { Tools } from '../../src/hcl/tools.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'

/** A text of HCL, read. */
export function hclFile(text: string, path = 'main.tf'): HclFile {
  return readHcl(sourceOf(path, text), 'svc_iam_')
}

/** The environment of functions, with files by their paths. */
export function toolsWith(files: Readonly<Record<string, string>> = {}): Tools {
  return {
    compile,
    readYaml,
    digest: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
    files: {
      side: 'test',
      around: () => ({ files: Object.keys(files).sort(), configured: new Set() }),
      text: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
      mark: (path) => (Object.hasOwn(files, path) ? files[path] : 'missing'),
      read: (path) => (Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : 'missing'),
      list: (path) =>
        Object.keys(files).flatMap((name) => (path === '' ? [name] : name.startsWith(`${path}/`) ? [name.slice(path.length + 1)] : [])),
    },
  }
}

/** Configuration files by their paths, each folder a module; the first path is in the root. */
export function configuration(
  files: Readonly<Record<string, string>>,
  prefix = 'svc',
  tools: Tools = toolsWith(),
  { whole, ...more }: Partial<Settings> & { readonly whole?: boolean } = {},
): Configuration {
  const folders = new Map<string, { path: string; name: string; files: HclFile[]; values: HclFile[]; isWhole?: true }>()
  for (const [path, text] of Object.entries(files)) {
    const at = path.lastIndexOf('/')
    const folder = at < 0 ? '' : path.slice(0, at)
    const known = folders.get(folder) ?? { path: folder, name: folder === '' ? '.' : folder, files: [], values: [] }
    folders.set(folder, known)
    ;(/\.tfvars(\.json)?$/.test(path) ? known.values : known.files).push(
      path.endsWith('.json') ? readHclJson(sourceOf(path, text), path.endsWith('.tfvars.json')) : hclFile(text, path),
    )
  }
  if (whole) for (const [path, folder] of folders) folders.set(path, { ...folder, isWhole: true })
  return readConfiguration(folders.get('') as Folder, folders, { prefix, tools, ...more })
}

/** A text as HCL has it: what would begin a template is doubled, and there is no `\\b` and `\\f`. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\\b', '\\u0008').replaceAll('\\f', '\\u000c').replaceAll('${', '$${').replaceAll('%{', '%%{')
}
