import { blameAnswer, isOpenBlame } from '../../answers/blame.ts'
import { Names } from '../../report/names.ts'
import { exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { readFileBlame } from '../input/blamed.ts'
import type { Answer } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `blame FILE`: every entry of the policies of a file, with the commit since which it has its effect. */
export const run: Answer<'blame'> = async ([file], options, io) => {
  if (file === undefined) throw new Refusal('`blame` takes a file of policies', 'for example `grantwise blame policies/ops.yaml`')
  const { report, world } = await readFileBlame(file, { given: options.policies, asker: 'blame', options }, io)
  writeAnswer(blameAnswer(report), { names: new Names([world], options.fullUrns) }, { ...options, title: 'grantwise blame' }, io)
  return isOpenBlame(report) ? exit.unknown : exit.success
}
