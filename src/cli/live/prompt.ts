import { createInterface } from 'node:readline'
import { shown } from '../../report/safe.ts'
import type { Terminal } from '../app/io.ts'
import type { History } from './history.ts'

/** The logic behind a prompt. */
interface Conversation {
  readonly prompt: () => string
  /** Answer a line. `end` ends the conversation. */
  readonly answer: (line: string) => Promise<string>
  /** The completions of a line, each in the place of its last part. */
  readonly complete: (line: string) => Promise<readonly [completions: readonly string[], part: string]>
  readonly history: History
}

/** Read lines at a terminal and answer them, until Ctrl-D or the end of the terminal. */
export async function converse({ input, output }: Terminal, { prompt, answer, complete, history }: Conversation): Promise<void> {
  const reader = createInterface({
    input,
    output,
    history: [...history.lines],
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
      complete(line).then(
        ([completions, part]) => done(null, [[...completions], part]),
        () => done(null, [[], line]),
      )
    },
  })
  // Lines that were pasted, or typed ahead, arrive together: each is shown again above its answer.
  const lines: string[] = []
  let isOver = false
  let wake = () => {}
  reader.on('line', (line) => {
    lines.push(line)
    wake()
  })
  reader.on('close', () => {
    isOver = true
    wake()
  })
  reader.on('SIGINT', () => {
    // The behaviour of Node's own prompt: continue below the typed line.
    ;(reader as unknown as { readonly clearLine: () => void }).clearLine()
    reader.prompt()
  })
  for (;;) {
    const waiting = lines[0]
    if (waiting === undefined && isOver) break
    if (waiting === undefined) {
      reader.setPrompt(prompt())
      reader.prompt(true)
    } else output.write(`${prompt()}${shown(waiting)}\n`)
    while (lines.length === 0 && !isOver) await new Promise<void>((done) => (wake = done))
    const line = lines.shift()
    if (line === undefined) break
    history.add(line)
    // While an answer is found, Ctrl-C ends the program as it does elsewhere.
    if (!isOver) reader.pause()
    input.setRawMode(false)
    const outcome = await answer(line)
    if (outcome === 'end') break
    if (!isOver) input.setRawMode(true)
  }
  if (isOver) output.write('\n')
  reader.close()
}
