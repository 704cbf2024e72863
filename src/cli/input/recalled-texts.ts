import type { Source } from '../../source.ts'
import type { TextGiven } from '../../sources/files.ts'
import type { Problem } from '../../sources/limits.ts'
import type { Recall } from '../../sources/read.ts'

type Given = TextGiven | Problem

/** A cache of texts and their readings: two states of the same files are mostly the same. */
export class ReadTexts {
  private readonly sources = new Map<string, Source>()
  private readonly reads = new Map<Source, unknown>()

  readonly recall: Recall = (source, read) => {
    if (!this.reads.has(source)) this.reads.set(source, read())
    return this.reads.get(source) as ReturnType<typeof read>
  }

  private again(entry: Given): Given {
    if ('message' in entry) return entry
    const { source } = entry
    const cached = this.sources.get(source.path)
    if (cached?.text === source.text && cached.notation === source.notation) return { ...entry, source: cached }
    this.sources.set(source.path, source)
    return entry
  }

  /** The same texts, with the cached sources of those that have not changed. */
  *known(texts: Iterable<Given | Promise<Given>>): Iterable<Given | Promise<Given>> {
    for (const each of texts) yield each instanceof Promise ? each.then((given) => this.again(given)) : this.again(each)
  }
}
