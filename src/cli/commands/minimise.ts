import { readSource } from '../../parser/read-source.ts'
import { minimise, minimiseVerdict } from '../../propose/minimise.ts'
import { paint } from '../../report/colour.ts'
import { minimiseDiff, minimiseJson, minimiseText } from '../../report/minimise.ts'
import { json } from '../../report/safe.ts'
import type { Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, wantsColour } from '../app/io.ts'
import { readAt } from '../input/question.ts'
import { loadWorld, refuseOpen } from '../input/world.ts'
import { diffText } from '../output/diff-text.ts'

const exits: Readonly<Record<ReturnType<typeof minimiseVerdict>, ExitCode>> = {
  smallest: exit.success,
  smaller: exit.failure,
  undecided: exit.unknown,
}

/** `minimise`: the smallest policies that say the same, as a diff. Writes no file. */
export const run: Run<'minimise'> = async (_, options, io) => {
  const { format } = options
  const from = readAt(options, io)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  refuseOpen('minimise', loaded)
  const { world, settings, sources } = loaded
  const result = await minimise(sources, world, (source) => readSource(source, settings), from, budgetFor(io))
  const inColour = wantsColour(io, options.color)
  const diff = () => diffText(minimiseDiff(result), inColour, io.stdout.isTerminal())
  if (format === 'json') io.stdout.write(`${json(minimiseJson(result))}\n`)
  else if (format === 'diff') io.stdout.write(diff())
  else {
    io.stdout.write(minimiseText(result, paint(inColour), options.at === undefined))
    if (result.steps.length > 0) io.stdout.write(`\n${diff()}`)
  }
  return exits[minimiseVerdict(result)]
}
