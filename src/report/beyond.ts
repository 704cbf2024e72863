import type { Beyond } from '../symbolic/beyond.ts'
import { groupedBy } from '../symbolic/lists.ts'
import { formulaJson } from './conditions.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placeWords, policyJson, said, some } from './words.ts'

/** Grants on resources that are not described, next to answers about those that are. */

type BeyondNames = Pick<Names, 'identity' | 'resource'>

/** How many patterns, and identities of each, a note names. */
const [mostPatterns, mostIdentities] = [8, 4]

/** That identities are granted something on resources that no cell is about. */
export function beyondNotes(beyond: readonly Beyond[], names: BeyondNames, all = false): readonly string[] {
  const most = (count: number) => (all ? Number.POSITIVE_INFINITY : count)
  const of = (isDescribed: boolean, words: string) => {
    const own = beyond.filter((each) => each.isDescribed === isDescribed)
    const parts = [...groupedBy(own, ({ resource }) => resource)].map(([resource, grants]) => {
      const who = [...new Set(grants.flatMap(({ identities }) => identities))].map((urn) => names.identity(urn))
      return `${some(who, most(mostIdentities))} on ${names.resource(resource)}`
    })
    return parts.length > 0 && `not shown: grants on ${words}: ${some(parts, most(mostPatterns))}`
  }
  return said(of(false, 'resources of which none is described'), of(true, 'other resources than are described'))
}

const policiesOf = ({ row }: Beyond) => [...new Set(row.clauses.map(({ policy }) => policy))]

/** A grant on what is not described, as machines read it. */
export function beyondJson(beyond: Beyond) {
  const { identities, resource, actions, row } = beyond
  return {
    identities,
    resources: [resource],
    actions,
    except: row.except,
    condition: formulaJson(row.condition),
    verdict: row.verdict,
    policies: policiesOf(beyond).map(policyJson),
  }
}

/** A line for each identity. */
export const beyondLines = (beyond: Beyond) =>
  beyond.identities.map((identity) => {
    const which = beyond.isDescribed ? 'others than described' : 'none described'
    const places = policiesOf(beyond).map(({ name }) => placeWords(name.span))
    return `${said(shown(identity), shown(beyond.resource), which, places.length > 0 && `by ${some(places, 3)}`).join(' · ')}\n`
  })
