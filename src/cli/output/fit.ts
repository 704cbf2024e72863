/** Answers no wider than a terminal: the rest of a long line goes below it, indented as far as what it belongs to. */

const colours = /\u001b\[[\d;]*m/g

/** Narrower terminals break lines by themselves. */
const narrowest = 40
/** How far the rest of a line is indented at most. */
const deepest = 24

/** The lines of an answer broken at blanks. Commands and lines that a shell reads as one stay whole, since they are copied. */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined || width < narrowest) return text
  return text
    .split('\n')
    .map((line) => fittedLine(line, width))
    .join('\n')
}

const lengthOf = (text: string) => text.replace(colours, '').length

function fittedLine(line: string, width: number): string {
  const plain = line.replace(colours, '')
  if (plain.length <= width || plain.endsWith(' \\') || /^ +(?:try|such as) |^ +\S+:\d+ {2}[-+] /.test(plain)) return line
  // Below the text of a field: `    by      place  words`, of a label: `note: words`, else below the line.
  const [lead = '', blanks = ''] = /^( *)(?:\S+:? ?\S* {2,}|\w+: )?/.exec(plain) ?? []
  const indent = lead.length > blanks.length && lead.length <= deepest ? lead.length : blanks.length + 2
  const lines: string[] = []
  // Several blanks part columns, and stay with the word before them.
  for (const word of line.split(/(?<=\S *) (?=\S)/)) {
    const last = lines.at(-1)
    if (last !== undefined && (lengthOf(last) + 1 + lengthOf(word) <= width || lengthOf(last) <= indent))
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : `${' '.repeat(indent)}${word}`)
  }
  return lines.map((each) => each.trimEnd()).join('\n')
}
