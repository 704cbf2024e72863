/** The places that a program goes through: it reads, sends or picks whatever files are there, of any kind. */
export interface Listing {
  /** Folders and patterns, as they are written; empty where they are worked out. */
  readonly places: readonly string[]
  /** It goes through the working folder itself, with all below it. */
  readonly isWhole: boolean
  /** The endings of the files that it takes; empty where it takes all. */
  readonly endings: readonly string[]
}

/** Commands of a shell that go through what they are given, and patterns that it expands: up to the end of the command. */
const ofShell =
  /\bfor\s+\w+\s+in\s[^\n;]*|\b(?:find|fd|run-parts|rsync|tree)\s[^\n;&|)]*|\b(?:ls|ls-files)\s[^\n;&|)]*|\b(?:cp|scp)\s+(?:-\S+\s+)*-\w*[rRa]\w*\s[^\n;&|)]*|\b(?:tar|zip)\s[^\n;&|)]*|\b[ef]?grep\s+(?:-\S+\s+)*-\w*[rR]\w*\s[^\n;&|)]*|\$\(wildcard\s[^)\n]*|\b(?:cat|head|tail|jq|yq|awk|sort|source|cut|paste|xargs|Get-ChildItem|Get-Content)\s[^\n;&|)]*\*[^\n;&|)]*/g

/** Calls of source code that go through a folder, with what is next to them: filters by endings are there. */
const ofCode =
  /[^\n]*\b(?:r?glob\w*|iglob|iterdir|listdir|scandir|walk\w*|Walk\w*|readdir\w*|ReadDir|readDir\w*|opendir|Dir\.\w+|globSync|fast-glob|EnumerateFiles|GetFiles|listFiles|newDirectoryStream|go:embed)\b[^\n]*(?:\n[^\n]*){0,2}|[^\n]*\bDir\[[^\n]*/g

/** The places that a program goes through, by its language. */
export function listingsIn(text: string, isShell: boolean): readonly Listing[] {
  const joined = text.replace(/\\\n/g, ' ')
  return [...joined.matchAll(isShell ? ofShell : ofCode)].map(([part]) => ({
    places: placesIn(part),
    isWhole: /(?<=[\s"'`(])\.\/?(?=["'`)\s]|$)/.test(part),
    endings: endingsIn(part),
  }))
}

const placesIn = (part: string): readonly string[] => [
  ...new Set((part.match(/[\w@%+~./-]+/g) ?? []).map((word) => word.replace(/^(?:\.\/)+|\/+$/g, '')).filter((word) => word.length > 1)),
]

/** The endings after a wildcard, or as a whole string: `*.json`, `'.json'`, `/\.json$/`. */
const endingsIn = (part: string): readonly string[] => [
  ...new Set([...part.matchAll(/\*(\.\w+)|["'`](\.\w+)["'`]|\\(\.\w+)\$/g)].map(([, ...found]) => found.find((each) => each) as string)),
]
