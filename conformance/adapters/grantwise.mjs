// grantwise as the runner asks it: a case a line on standard input, an answer a line on standard output.
import { createInterface } from 'node:readline'
import { decide, defaultSettings, diff, differenceJson, factText, readAddress, readQuestion, readWorld } from 'grantwise'

/** The world of a case, or why it is refused. */
async function worldOf({ world, files = [{ name: 'world.json', text: JSON.stringify(world) }] }) {
  const read = await readWorld(files.map(({ name, text }) => ({ path: name, text })))
  return { world: read.world, refused: read.diagnostics.find(({ severity }) => severity === 'error')?.message }
}

function questionOf({ identity, action, resource, at, groups = [], ip, tags }) {
  const context = {
    at: Date.parse(at),
    groups,
    ...(ip !== undefined && { ip: readAddress(ip) }),
    ...(tags && { tags: new Map(Object.entries(tags)) }),
  }
  const { question, problems } = readQuestion(identity, action, resource, context, defaultSettings)
  if (!question) throw new Error(problems[0].message)
  return question
}

async function answer(line) {
  if (line.before) {
    const [before, after] = await Promise.all([line.before, line.after].map((world) => worldOf({ world })))
    const { gained, undecided } = differenceJson(diff(before.world, after.world, { only: 'gained' }))
    if (undecided.length > 0) throw new Error('not decided')
    return gained.length === 0 ? { new: false } : { new: true, witness: gained[0].witness }
  }
  const { world, refused } = await worldOf(line)
  if (!world) return { refused }
  const answers = line.questions.map((each) => {
    const { verdict, missing, caveats } = decide(world, questionOf(each))
    return { verdict, missing: missing.map(({ fact }) => factText(fact)), notes: caveats }
  })
  return { answers }
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).catch(({ message }) => ({ error: message }))
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
