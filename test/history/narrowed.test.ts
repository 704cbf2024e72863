import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joined, noFiles, Ordered, type Reading, Readings, readingOf } from '../../src/cli/input/readings.ts'
import { Narrowed } from '../../src/history/narrowed.ts'
import type { State } from '../../src/history/state.ts'
import { readSource } from '../../src/parser/read-source.ts'
import type { Policy } from '../../src/policy.ts'
import { sourceOf } from '../../src/source.ts'
import { together } from '../../src/sources/files.ts'
import { emptyWorld } from '../../src/world.ts'
import { testSettings } from '../support/settings.ts'

/** States that are kept as changes of an earlier one are what reading all of their files again gives. */

const textOf = (version: number) =>
  JSON.stringify({
    name: `p${version}`,
    identities: [`urn:v1:eu:identity:user:ab12-svc/user${version % 3}`],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:*' }] },
  })

async function reading(file: number, version: number): Promise<Reading> {
  const path = `p${String(file).padStart(3, '0')}.json`
  const source = sourceOf(path, textOf(version))
  const read = { ...noFiles, ...together([{ source, read: await readSource(source, testSettings), file: undefined }]) }
  return readingOf({ path: `/${path}`, read, isDependent: false, size: 1 })
}

const isConcerned = ({ identities }: Policy) => identities.some(({ value }) => value.text.endsWith('user1'))

/** A file that changes: to another version, or removed. */
const change = fc.record({ file: fc.nat(60), version: fc.option(fc.nat(9), { nil: undefined }) })

test('readings after changes, and the policies of them that are asked about', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 20, maxLength: 60 }), async (commits) => {
      const readings = new Readings()
      let ordered = new Ordered([])
      let [before, looks]: [State | undefined, number] = [undefined, 0]
      const narrowed = new Narrowed((policy) => {
        looks++
        return isConcerned(policy)
      })
      for (const changes of commits) {
        const files = new Map<string, Reading | undefined>()
        const removed: Policy[] = []
        for (const { file, version } of new Map(changes.map((each) => [each.file, each])).values()) {
          const next = version === undefined ? undefined : await reading(file, version)
          const { path } = next ?? (await reading(file, 0))
          removed.push(...(readings.get(path)?.policies ?? []))
          files.set(path, next)
          if (next) readings.set(next)
          else readings.delete(path)
        }
        ordered = ordered.after(files)
        const policies = joined(readings.sorted()).facts.flatMap((facts) => facts.policies)
        expect(ordered.list().flatMap((each) => each.policies)).toEqual(policies)
        expect(readings.size).toBe(readings.count)
        expect(readings.isEmpty).toBe(policies.length === 0)

        const after = [...files.values()].flatMap((each) => each?.policies ?? [])
        const world = { ...emptyWorld, policies }
        const state: State = {
          id: Symbol(),
          isEmpty: false,
          world: () => world,
          facts: () => [],
          delta: before && { since: before.id, before: removed, after },
        }
        looks = 0
        expect(narrowed.worldOf(state, before).policies).toEqual(policies.filter(isConcerned))
        // Only the changed policies are looked at.
        expect(looks).toBe(before ? after.length : policies.length)
        before = state
      }
    }),
    { numRuns: 10 },
  )
})
