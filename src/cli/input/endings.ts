import { extname } from 'node:path'
import { Refusal } from '../app/refusal.ts'

/** The formats of an ending, the first one that a command has. */
const endings: Readonly<Record<string, readonly string[]>> = {
  '.json': ['json'],
  '.ndjson': ['ndjson', 'rdjsonl'],
  '.jsonl': ['ndjson', 'rdjsonl'],
  '.md': ['markdown'],
  '.markdown': ['markdown'],
  '.sarif': ['sarif'],
  '.html': ['html'],
  '.htm': ['html'],
  '.svg': ['svg'],
  '.dot': ['dot'],
  '.gv': ['dot'],
  '.mmd': ['mermaid'],
  '.mermaid': ['mermaid'],
  '.graphml': ['graphml'],
  '.csv': ['csv'],
  '.xlsx': ['xlsx'],
  '.xml': ['junit', 'checkstyle'],
  '.yaml': ['yaml'],
  '.yml': ['yaml'],
  '.tf': ['hcl'],
  '.diff': ['diff'],
  '.patch': ['diff'],
  '.txt': ['pretty', 'list', 'dot'],
}

/** Endings of files that no command writes: a file of that name would not open in what it is for. */
const foreign: ReadonlySet<string> = new Set(
  'avif bmp doc docx eps epub gif gz jpeg jpg key numbers odp ods odt parquet pdf png ppt pptx ps rtf tar tgz tif tiff tsv webp xls zip'
    .split(' ')
    .map((each) => `.${each}`),
)

/**
 * The format of a file by its ending; undefined where that says nothing. Throws a refusal where `command` cannot
 * write the format of the ending. `help`: how it is had all the same, by the ending.
 */
export function formatByEnding(
  output: string,
  command: string,
  values: readonly string[],
  help: (ending: string) => string | undefined = () => undefined,
): string | undefined {
  const ending = extname(output).toLowerCase()
  const meant = endings[ending] ?? (foreign.has(ending) ? [] : undefined)
  if (!meant) return undefined
  const format = meant.find((each) => values.includes(each))
  if (format !== undefined) return format
  const others = values.length > 1 ? `choose one with \`--format\`: ${values.join(', ')}` : `\`${command}\` writes ${values.join()}`
  throw new Refusal(`-o \`${output}\`: \`${command}\` cannot write \`${ending}\``, help(ending) ?? others)
}
