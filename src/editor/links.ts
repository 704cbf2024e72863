import { folderOf, pathFrom } from '../hcl/paths.ts'
import { rulePage } from '../report/words.ts'
import { rules } from '../rules/index.ts'
import { ignoredCodesIn } from './comments.ts'
import type { EditorFile, Workspace } from './model.ts'
import { inner } from './names.ts'
import { rangeInFile } from './parts.ts'
import type { Link } from './types.ts'

/** Links of a file: to the pages of the rules that it names, and to other files. */
export function links(workspace: Workspace, file: EditorFile): readonly Link[] {
  const { docs, settings, files } = workspace
  const isRule = (code: string) => rules.some((each) => each.code === code)
  const page = (code: string): Pick<Link, 'target' | 'tooltip'> => ({ target: { url: rulePage(code, docs) }, tooltip: `the rule ${code}` })
  const named = file.spots(settings).flatMap(({ role, node, part }): readonly Link[] => {
    const range = rangeInFile(part, inner(node))
    if (role === 'ruleCode') return isRule(node.value) ? [{ range, ...page(node.value) }] : []
    if (role !== 'path' && role !== 'extends') return []
    const path = pathFrom(folderOf(file.path), node.value)
    return files.has(path) ? [{ range, target: { path }, tooltip: path }] : []
  })
  const ignored = ignoredCodesIn(file.source).flatMap((range): readonly Link[] => {
    const code = file.source.text.slice(range.start, range.end)
    return isRule(code) ? [{ range, ...page(code) }] : []
  })
  return [...named, ...ignored]
}
