// Output of the program, with its colours, for a page.

/** The names of what escape sequences set: classes of the style sheet. Others set nothing here. */
const names = { 1: 'bold', 2: 'faint', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' }

/** The parts of an output, each with the classes of the colours. */
export function partsOf(output) {
  const parts = []
  let classes = []
  for (const [, codes, text] of `\u001b[0m${output}`.matchAll(/\u001b\[([\d;]*)m([^\u001b]*)/g)) {
    for (const code of codes.split(';')) classes = Number(code) === 0 ? [] : names[code] ? [...classes, names[code]] : classes
    if (text !== '') parts.push({ classes, text })
  }
  return parts
}
