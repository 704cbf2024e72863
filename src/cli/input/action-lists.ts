import { resolve } from 'node:path'
import type { Settings } from '../../names.ts'
import type { PermissionSet } from '../../policy.ts'
import { type Notation, notationOf, sourceOf } from '../../source.ts'
import { readActionList } from '../../sources/action-lists.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { readCandidate } from './files.ts'

/** The actions of a list that the command line names, with any file name: JSON and YAML by name, or by their first character. */
export async function actionsFrom(path: string, settings: Settings, io: Io): Promise<PermissionSet> {
  const file = path === '-' ? undefined : resolve(io.cwd, path)
  const name = file === undefined ? '<stdin>' : displayPath(file, io.cwd)
  const read = await readCandidate({ path: name, file, notation: 'actions', isNamed: true }, io, 'settings')
  if (read.source === undefined) throw new Refusal(`--from ${name}: ${read.message}`)
  const named = notationOf(path)
  const { text } = read.source
  const list = await readActionList(sourceOf(name, text, named === 'json' || named === 'yaml' ? named : begunAs(text)), settings)
  refuseErrors(list?.diagnostics ?? [])
  const [group] = list?.facts.permissionsGroups ?? []
  if (!group)
    throw new Refusal(`--from ${name}: no list of actions`, 'expected `["vps:apisvc:get"]`, `{"allow": [...]}`, or an action a line')
  if (group.permissions.allow.length === 0) throw new Refusal(`--from ${name}: nothing is listed under \`allow\``)
  return group.permissions
}

function begunAs(text: string): Notation {
  if (/^\ufeff?[ \t\r\n]*[[{]/.test(text)) return 'json'
  return /^\ufeff?(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*(?:---|[ \t]*- |(?:allow|except|deny):)/.test(text) ? 'yaml' : 'actions'
}
