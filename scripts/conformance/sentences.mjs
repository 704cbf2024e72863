/**
 * The sentences of docs/semantics.md, each with the heading above it: paragraphs and items of lists are split at the ends of
 * sentences, a row of a table is one sentence. Line breaks count as blanks.
 */
export function sentencesOf(markdown) {
  const found = []
  let section = ''
  let block = []
  const flush = () => {
    const text = block.join(' ')
    block = []
    if (text === '') return
    for (const sentence of text.split(/(?<=\.)\s+(?=[A-Z`*])/)) found.push({ section, sentence })
  }
  for (const [i, line] of lines(markdown).entries()) {
    if (line === '' || /^[#|]/.test(line) || /^(?:-|\d+\.) /.test(line)) flush()
    if (/^#+ /.test(line)) section = line.replace(/^#+ /, '')
    else if (line.startsWith('|')) {
      if (!isHead(lines(markdown), i)) found.push({ section, sentence: row(line) })
    } else if (line !== '') block.push(line.replace(/^(?:-|\d+\.) /, ''))
  }
  flush()
  return found
}

function lines(markdown) {
  return markdown.split('\n').map((line) => line.trim())
}

/** The first row of a table, and the one that is under it. */
function isHead(all, i) {
  return /^\|[-|]+\|$/.test(all[i]) || /^\|[-|]+\|$/.test(all[i + 1] ?? '')
}

function row(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ')
}

/** Where a heading is found in the page: its anchor, as GitHub makes it. */
export function anchorOf(section) {
  return section
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
