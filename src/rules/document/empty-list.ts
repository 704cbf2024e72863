import type { ListName } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { removalOfEntries } from '../support/fixes.ts'
import { listNames } from '../support/lists.ts'
import { countWritten, mapAt, writtenEmpty } from '../support/written.ts'

const paths: readonly (readonly string[])[] = [...listNames.map((list) => ['permissions', list]), ['permissionsGroups']]

export const emptyList: Rule = {
  code: 'empty-list',
  section: 'document',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An empty list of permissions or permissions groups.',
  why:
    'An empty list means the same as none. It is often left over from an entry that should have stayed, so check before you remove it. ' +
    'Policies without any permission are reported by `no-permissions`. `null` is not reported, because the service writes it.',
  needs: 'mayBeOdd',
  *policy({ node }) {
    // A policy as the service lists it has empty lists that no user wrote.
    if (countWritten(node, 'createdAt') > 0) return
    if (paths.every((path) => countWritten(node, ...path) === 0)) return
    const permissions = mapAt(node, 'permissions')
    const emptyOnes = listNames.filter((list) => writtenEmpty(node, 'permissions', list))
    const isAll = emptyOnes.length === permissions?.entries.length
    for (const path of paths) {
      const [field, list] = path as [string, ListName?]
      const empty = writtenEmpty(node, ...path)
      if (!empty) continue
      const fix = !list
        ? removalOfEntries(node, [field], true)
        : permissions
          ? removalOfEntries(permissions, isAll ? emptyOnes : [list], true)
          : {}
      yield { span: empty, message: `\`${path.at(-1)}\` is empty`, help: 'remove the list, or add the missing entry', ...fix }
    }
  },
}
