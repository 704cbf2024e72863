import { isEnumerated } from '../../conditions/sets.ts'
import { zoneOf } from '../../conditions/test.ts'
import { utc, type Zone } from '../../zones.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { quote, some } from '../support/text.ts'
import { counted } from '../support/words.ts'

const hour = 3_600_000
const day = 24 * hour

export const clockChangeHour: Rule = {
  code: 'clock-change-hour',
  section: 'conditions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A condition on an hour that is skipped when the clocks go forward.',
  why:
    'When clocks change, one hour of the night is skipped in spring and repeated in autumn. A job that may only run in that hour fails ' +
    'once a year. Allow a range of hours or another hour, or use `UTC`, which has no clock changes.',
  needs: 'condition',
  *policy({ condition }, context) {
    for (const { test, value } of leavesOf(condition)) {
      const { set } = test
      if (set.kind !== 'numbers' || set.part !== 'hour' || !isEnumerated(set)) continue
      const skipped = skippedHours(zoneOf(test), context)
      const numbers = [...new Set(set.named)]
      // With another hour, the range only shrinks.
      if (numbers.length === 0 || !numbers.every((number) => skipped.includes(number))) continue
      yield {
        span: value.span,
        message: `${counted(numbers.length, 'hour')} (${some(numbers.map(String))}) ${numbers.length === 1 ? 'does' : 'do'} not exist in ${quote(test.subject.parameter)} on the day the clocks go forward`,
        help: 'use a range of hours, another hour, or `UTC`',
      }
    }
  },
}

const answers = () => new Map<string, readonly number[]>()

/** The hours that are missing on some day of the year from an instant on in a zone. */
function skippedHours(zone: Zone, context: RuleContext): readonly number[] {
  if (zone === utc) return []
  const start = context.clock.daysSince(0) * day
  const byZone = context.once(answers)
  const cached = byZone.get(zone.name)
  if (cached) return cached
  const skipped = new Set<number>()
  let before = zone.shows(start)
  for (let dayStart = start; dayStart < start + 366 * day; dayStart += day) {
    const after = zone.shows(dayStart + day)
    // If the clock shows another time a day later, it was changed in between.
    if (after.hour !== before.hour || after.minute !== before.minute) {
      for (let step = dayStart; step < dayStart + day; step += hour / 4) {
        const [a, b] = [zone.shows(step), zone.shows(step + hour / 4)]
        for (let missing = (a.hour + 1) % 24; missing !== b.hour && a.hour !== b.hour; missing = (missing + 1) % 24) {
          // Going back one hour looks like going forward by 23.
          if ((b.hour - a.hour + 24) % 24 > 12) break
          skipped.add(missing)
        }
      }
    }
    before = after
  }
  const list = [...skipped]
  byZone.set(zone.name, list)
  return list
}
