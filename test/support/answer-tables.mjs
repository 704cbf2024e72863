/**
 * Tables of answers in files that one can read, with the titles and letters of `cases.ts`:
 *
 *     === a title
 *     abs(-1) · abs(1) ⇒ 1
 *     abs("x") ⇒ fails
 *
 * Questions with the same answer share lines of at most 140 letters. `⟨a⟩` is the letter with this code, such as a line break.
 * Used by tests, and by scripts that write the files.
 *
 * @typedef {ReadonlyMap<string, ReadonlyMap<string, string>>} Tables titles to questions to their answers
 */

/** @param {string} text @returns {Tables} */
export function answerTables(text) {
  const [, ...blocks] = text.split(/^=== /m)
  return new Map(
    blocks.map((block) => {
      const [title = '', ...lines] = block.trimEnd().split('\n')
      return [lettersOf(title), new Map(lines.flatMap(answersOf))]
    }),
  )
}

/** @param {string} head @param {Tables} tables */
export function answerTablesText(head, tables) {
  const blocks = [...tables].map(([title, answers]) => `\n=== ${shown(title)}\n${tableLines(answers).join('\n')}\n`)
  return `${head.trimEnd()}\n${blocks.join('')}`
}

/** The text before the first table. @param {string} text */
export const headOf = (text) => text.slice(0, text.indexOf('\n=== '))

/** @param {string} line @returns {[string, string][]} */
function answersOf(line) {
  const [questions, answer, ...more] = line.split(' ⇒ ')
  if (questions === undefined || answer === undefined || more.length > 0) throw new Error(`not a line of a table: ${line}`)
  return questions.split(' · ').map((question) => [lettersOf(question), lettersOf(answer)])
}

/** @param {ReadonlyMap<string, string>} answers */
function tableLines(answers) {
  const questions = new Map()
  for (const [question, answer] of answers) questions.set(answer, [...(questions.get(answer) ?? []), shown(question)])
  return [...questions].flatMap(([answer, asked]) => linesFor(shown(answer), asked))
}

function linesFor(answer, questions) {
  const lines = []
  let line = ''
  for (const question of questions) {
    const longer = line === '' ? question : `${line} · ${question}`
    if (line !== '' && longer.length + answer.length > 137) {
      lines.push(line)
      line = question
    } else line = longer
  }
  return [...lines, line].map((each) => `${each} ⇒ ${answer}`)
}

const lettersOf = (text) => text.replace(/⟨([0-9a-f]+)⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))

/** A text on one line, in which no letter is part of the notation or does not show. */
function shown(text) {
  return text.replace(/[⟨⟩⇒·\p{C}\p{M}\p{Zl}\p{Zp}\u00a0]/gu, letterCode).replace(/^ | $/g, letterCode)
}

const letterCode = (letter) => `⟨${letter.codePointAt(0)?.toString(16)}⟩`
