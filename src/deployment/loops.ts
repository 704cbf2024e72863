import { folderOf, nameIn } from '../hcl/paths.ts'
import type { FileContext } from './facts.ts'
import type { Consumer } from './reach.ts'
import { namedPolicies, sendsData, wordsIn } from './words.ts'

/** A loop of a shell over all files of a folder with an ending: `for f in policies/*.json; do`. */
const loop = /\bfor\s+(\w+)\s+in\s+(?:\.\/)?((?:[\w-][\w.-]*\/)+)\*(\.\w+)\s*(?:;|\n)\s*do\b/g

/** Ways of a shell to go by the place of a file among others, by its name, or from another folder, and of `curl` to send its name. */
const otherWays =
  /\b(?:break|continue|exit|return|cd|pushd|basename|dirname|input_filename|filename|eval|xargs|find|ls|git|shopt|trap|alias|head|tail|sort|mapfile|readarray|read|source|select|until|while)\b|\(\(|\[@\]|\[\*\]|\$[@*#\d]|\$\{[@*#!\d]|\bset\s+--|\bset\s+-\w*[af]|allexport|noglob|--(?:form|upload-file|remote-name)|\s-[A-Za-z]*[FTO]|(?:^|[\s;])\.\s|\bIFS=|GLOBIGNORE/m

/**
 * Programs that take a file of policies by its name: undefined where each that takes part in sending policies is a loop over all files with
 * its ending, and only reads what is in them. A pipeline may also start by a pattern for all of them, or compare them with this tool.
 */
export function choosesByName(programs: readonly Consumer[], around: FileContext): (path: string) => Consumer | undefined {
  const { policies } = around
  const plain = { policies: { ...policies, inTerraform: false, inManifests: false } }
  const mayChoose = programs.flatMap((program) => {
    const text = program.text.replace(ownSteps, ' ')
    const isAbout = namedPolicies(text, around) !== undefined || wordsIn(text, plain) !== undefined
    return isAbout ? [{ program, takes: takenBy(program, text, around) }] : []
  })
  // The first that sends: others are named where nothing does.
  const order = (program: Consumer) => (wordsIn(program.text, around) !== undefined || sendsData(program.text) ? 0 : 1)
  const sorted = mayChoose.sort((a, b) => order(a.program) - order(b.program))
  return (path) => sorted.find(({ takes }) => !takes(path))?.program
}

/** Steps that lint or compare policies with the action of this tool. */
const ownSteps = /\{[^{}]*"uses":"[\w./-]*\/grantwise(?:@[^"]*)?"[^{}]*(?:"with":\{[^{}]*\})?[^{}]*\}/g

/** Whether a program takes a file with all others of its folder and ending, whatever its name is. */
function takenBy({ language }: Consumer, text: string, around: FileContext): (path: string) => boolean {
  const never = () => false
  if (/^on: /.test(text)) {
    const patterns = [...text.matchAll(/"([^"]*)"/g)].flatMap(([, word = '']) => (namedPolicies(word, around) === undefined ? [] : [word]))
    return (path) => patterns.length > 0 && patterns.every((pattern) => coversAll(pattern, path))
  }
  if (language !== 'shell' || otherWays.test(text)) return never
  const loops = [...text.matchAll(loop)]
  const [first] = loops
  if (first === undefined || loops.length > 1 || namedPolicies(text.replace(first[0], ' '), around) !== undefined) return never
  const [, name = '', folder = '', ending = ''] = first
  // Flags may be called as the variable is.
  const rest = text
    .replace(first[0], ' ')
    .replace(reading, (whole, plain, braced) => ((plain ?? braced) === name ? ' ' : whole))
    .replace(/(?<=\s)-\w+/g, ' ')
  if (rest.match(/\w+/g)?.includes(name)) return never
  return (path) => `${folderOf(path)}/` === folder && nameIn(path).endsWith(ending) && !nameIn(path).startsWith('.')
}

/** A file, by the variable that names it, of which a command only gets what is in it. */
const reading = /(?:(?:-d|--data(?:-binary|-raw)?|--json)[ =]["']?@|(?<![<>])<\s*|\bcat\s+)"?\$(?:(\w+)|\{(\w+)\})"?(?=\s|$|[;|&)])/g

/** Whether a pattern of a pipeline is for all files of the folder of a path, or for all with its ending. */
function coversAll(pattern: string, path: string): boolean {
  const [, folder = '', ending = ''] = /^((?:[\w-][\w.-]*\/)*)(?:\*\*|\*|\*\*\/\*)(\.\w+)?$/.exec(pattern) ?? []
  return folder !== '' && (pattern.includes('**') ? path.startsWith(folder) : `${folderOf(path)}/` === folder) && path.endsWith(ending)
}
