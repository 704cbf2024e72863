import { essenceOf } from './essence.ts'
import type { FileContext, FileText } from './facts.ts'
import { isObject } from './kinds.ts'
import { type Consumer, reachOf } from './reach.ts'
import { namedPolicies, sendsData, wordsIn } from './words.ts'

/** A program that sends policies, or something else of which they are a part. */
export type Sender = FileText

/** The programs that take part in the deployment, without comments: a word in one is none by which a program chooses. */
export async function programsIn(around: FileContext): Promise<readonly Consumer[]> {
  const { programs } = await reachOf(around)
  return around.repository.once(programsIn, () =>
    programs.map((each) => ({ ...each, text: around.repository.ofText(each.text, essenceOf, each.language) })),
  )
}

/** For the text of a file with policies, a program that sends it; undefined where none is known to. */
export async function sendersOf(around: FileContext): Promise<(text: string) => Sender | undefined> {
  const { policies, repository } = around
  const programs = await programsIn(around)
  return repository.once(sendersOf, () => {
    const sender = programs.find(
      ({ text }) => namedPolicies(text, around) !== undefined && (wordsIn(text, around) !== undefined || sendsData(text)),
    )
    // A program that calls the service may send every file it finds.
    const any = programs.find(
      ({ text }) => wordsIn(text, { policies: { ...policies, inTerraform: false, inManifests: false } }) !== undefined,
    )
    return (text) => sender ?? (isObject(text) ? undefined : any)
  })
}
