/** The places that a program goes through: it reads, sends or picks whatever files are there, of any kind. */
export interface Listing {
  /** Folders and patterns, as they are written; empty where they are worked out. */
  readonly places: readonly string[]
  /** It goes through the working folder itself, with all below it. */
  readonly isWhole: boolean
  /** It goes through its own folder. */
  readonly isOwn: boolean
  /** Its places are all written out: where none of them is a folder, it goes through nothing. */
  readonly isLiteral: boolean
  /** The endings of the files that it takes; empty where it takes all. */
  readonly endings: readonly string[]
}

/** Commands of a shell that go through what they are given, and patterns that it expands: up to the end of the command. */
const ofShell =
  /^uploads: [^\n]*|\bsource_dir\s{0,20}=[^\n]*|\bfor\s+\w+\s+in\s[^\n;]*|\b(?:find|fd|run-parts|rsync|tree)\s[^\n;&|)]*|\b(?:ls|ls-files)\s[^\n;&|)]*|\b(?:cp|scp)\s+(?:-\S+\s+)*-\w*[rRa]\w*\s[^\n;&|)]*|\b(?:(?:bsd|g)?tar|zip|7z\w?)\s[^\n;&|)]*|\bgit\s+(?:-[cC]\s+\S+\s+)*archive\b[^\n;&|)]*|\b[ef]?grep\s+(?:-\S+\s+)*-\w*[rR]\w*\s[^\n;&|)]*|\$\(wildcard\s[^)\n]*|\b(?:cat|head|tail|jq|yq|awk|sort|source|cut|paste|xargs|Get-ChildItem|Get-Content)\s[^\n;&|)]*\*[^\n;&|)]*/gm

/** Calls of source code that go through a folder. */
const ofCode =
  /\b(?:r?glob\w*|iglob|iterdir|listdir|scandir|walk\w*|Walk\w*|readdir\w*|ReadDir|readDir\w*|opendir|Dir\.\w+|globSync|fast-glob|EnumerateFiles|GetFiles|listFiles|newDirectoryStream|go:embed|tarfile|make_archive|copytree|cpSync|addLocalFolder)\b|\.directory\(|\bDir\[/

/** The places that a program goes through, by its language. */
export function listingsIn(text: string, isShell: boolean): readonly Listing[] {
  const joined = text.replace(/\\\n/g, ' ')
  const parts = isShell ? [...joined.matchAll(ofShell)].map(([part]) => part) : callsIn(joined)
  return parts.map((whole) => {
    const part = withoutExclusions(whole)
    const isPacked = packing.test(part)
    return {
      places: placesIn(part),
      isOwn: ownFolder.test(part),
      isLiteral: /^uploads: /.test(part) && !/[$*]/.test(part),
      isWhole: (isPacked ? packedWhole : /(?<=[\s"'`(])\.\/?(?=["'`)\s]|$)/).test(part),
      endings: isPacked && namesFolder(part) ? [] : endingsIn(part),
    }
  })
}

/** The folder of a program, as languages write it. */
const ownFolder = /__dirname|__file__|__DIR__|\bimport\.meta\b/

/** Commands and steps that pack files. */
const packing = /^(?:(?:bsd|g)?tar|zip|7z\w?|git|uploads:)\s/

/** Such a command takes the working folder, files that a list names, or a commit: of that all files where it names no folder. */
const packedWhole = /^git\s|\s(?:-T|-@|--files-from)\b|(?<=[\s"'`(])(?:\.{1,2}|\*|\.\/\*|\$(?:PWD|\{PWD\}|\(pwd\)?))\/?(?=["'`)\s]|$)/

/** Whether a command that packs files names a folder, of which it takes all, next to patterns: a word without an ending that is no option. */
const namesFolder = (part: string): boolean =>
  part
    .replace(/\s-C\s*\S+|\s--directory[=\s]\S+/g, '')
    .split(/\s+/)
    .slice(1)
    .some((word, i) => /^["'`]?(?:[\w@%+~.-]*\/)*[\w@%+~-]+\/?["'`]?$/.test(word) && !word.startsWith('-') && !(i === 0 && isFlags(word)))

/** The first word of `tar`, `zip` and the like may be options without a dash: `tar czf`. */
const isFlags = (word: string): boolean => /^[a-zA-Z]{1,6}$/.test(word)

/** A part without what it leaves out: the endings and folders of these say nothing of what it takes. */
const withoutExclusions = (part: string): string =>
  part.replace(
    /\s--?(?:exclude|ignore|skip)(?:-dir|-from)?[=\s]\s*(?:"[^"]*"|'[^']*'|\S+)|\s-x\s+(?:(?:"[^"]*"|'[^']*'|[^\s-]\S*)\s*)+|\s(?:!|-not)\s+-\w+\s+\S+|\s-(?:path|name)\s+\S+\s+-prune\b|\s["']?:(?:!|\^|\(exclude\))\S+/g,
    ' ',
  )

/**
 * The calls with what is next to them, the rest of their lines and two lines more: filters by endings are there. By lines, since a
 * pattern over whole lines takes time that grows with the square of their length.
 */
function callsIn(text: string): readonly string[] {
  const lines = text.split('\n')
  const calls: string[] = []
  for (let i = 0; i < lines.length; i++) {
    if (!ofCode.test(lines[i] as string)) continue
    calls.push(lines.slice(i, i + 3).join('\n'))
    i += 2
  }
  return calls
}

const placesIn = (part: string): readonly string[] => [
  ...new Set(
    (part.replace(/^uploads: /, '').match(/[\w@%+~./-]+/g) ?? [])
      .map((word) => word.replace(/^(?:\.\/)+|^\/?(?:\.\.\/)+|(?<!\/)\/+$/g, ''))
      .filter((word) => word.length > 1),
  ),
]

/** The endings after a wildcard, or as a whole string: `*.json`, `'.json'`, `/\.json$/`. */
const endingsIn = (part: string): readonly string[] => [
  ...new Set([...part.matchAll(/\*(\.\w+)|["'`](\.\w+)["'`]|\\(\.\w+)\$/g)].map(([, ...found]) => found.find((each) => each) as string)),
]
