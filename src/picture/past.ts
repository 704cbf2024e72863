import { commitWords } from '../answers/history.ts'
import type { DatedStep, Past } from '../history/past.ts'
import type { World } from '../policy.ts'
import { type ChartOptions, joinedCharts, type TimelineChart, type TimeMark, timelineChart } from './timeline.ts'

/** When policies applied under each of the states that a branch had, and the commits that opened or closed access as marks. */

/** Whether a commit opened access, and whether it closed some. */
export function openedAndClosed({ change: { difference } }: DatedStep): readonly [isOpened: boolean, isClosed: boolean] {
  const has = (side: 'gained' | 'lost') => difference[side].length + (difference.described?.[side].length ?? 0) > 0
  return [has('gained'), has('lost')]
}

function markOf(step: DatedStep): TimeMark {
  const [isOpened, isClosed] = openedAndClosed(step)
  return { at: step.at, label: `${isOpened ? '+' : ''}${isClosed ? '-' : ''} ${step.commit.short}`, note: commitWords(step.commit) }
}

/**
 * The picture of the past; undefined where no state could be read and there is no `future`, the picture of what follows. `options`: which
 * policies of a world are drawn.
 */
export function pastChart(
  { stretches, steps, to: now }: Past,
  options: (world: World) => Omit<ChartOptions, 'from' | 'to'>,
  future?: TimelineChart,
): TimelineChart | undefined {
  const [first, ...others] = [
    ...stretches.map(({ world, timeline: { from, to } }) => timelineChart(world, { ...options(world), from, to: to - 1 })),
    ...(future ? [future] : []),
  ]
  const present = future ? [{ at: now, label: 'now', note: 'policies of the present' }] : []
  return first && joinedCharts([first, ...others], [...steps.map(markOf), ...present])
}
