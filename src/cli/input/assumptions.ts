import type { ContextOptions, SupposeOptions } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'

/** The options that state facts, as `can` takes them. */
export type FactOptions = Required<SupposeOptions> & ContextOptions

/** One assumption of a session: a value of one option. */
export interface Fact {
  readonly option: keyof FactOptions
  readonly value: string
}

/** The options that state one value, so that a later one replaces it. */
const single: readonly string[] = ['ip', 'at', 'owner']
const plain: readonly string[] = [...single, 'group', 'tag', 'with']

/** The fact in the words after `assume`. Throws a refusal where there is none. */
export function factIn(words: readonly string[]): Fact {
  const [first = '', second = '', third = '', fourth = ''] = words
  if (words.length === 3 && second === 'in') return { option: 'member', value: `${first}=+${third}` }
  if (words.length === 4 && second === 'not' && third === 'in') return { option: 'member', value: `${first}=-${fourth}` }
  if (words.length === 3 && second === 'tag') return { option: 'assumeTag', value: `${first}=${third}` }
  if (words.length === 4 && second === 'not' && third === 'tag') return { option: 'assumeTag', value: `${first}=-${fourth}` }
  // The name of a policy may have blanks in it.
  if (first === 'without' && words.length > 1)
    return { option: 'without', value: words.slice(second === 'policy' && words.length > 2 ? 2 : 1).join(' ') }
  // A time may be typed without its seconds.
  const value = first === 'at' ? second.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/i, '$1:00$2') : second
  if (words.length === 2 && plain.includes(first)) return { option: first as Fact['option'], value }
  throw new Refusal(
    words.length === 0 ? '`assume` takes what to assume' : `\`assume ${words.join(' ')}\`: not an assumption`,
    'for example `assume ip 203.0.113.7`, `assume bob in ops` or `assume without guard`; `help` lists all forms',
  )
}

/** The subject of an assumption: a later one about the same subject replaces it. */
function subject({ option, value }: Fact): string {
  if (single.includes(option)) return option
  if (option === 'tag') return `tag ${value.replace(/=.*/s, '')}`
  if (option === 'member') return `member ${value.replace(/=[+-]/, ' ')}`
  if (option === 'assumeTag') return `assumeTag ${value.replace(/=-?/, ' ').replace(/=.*/s, '')}`
  return `${option} ${value}`
}

/** The assumptions that a later one does not replace. */
export function withoutReplaced(facts: readonly Fact[], fact: Fact): readonly Fact[] {
  return facts.filter((each) => subject(each) !== subject(fact))
}

/** The options that state the same. */
export function optionsOf(facts: readonly Fact[]): FactOptions {
  const all = (option: Fact['option']) => facts.filter((each) => each.option === option).map(({ value }) => value)
  const [ip, time, owner] = [all('ip')[0], all('at')[0], all('owner')[0]]
  const lists = { group: all('group'), tag: all('tag'), without: all('without'), with: all('with'), member: all('member') }
  return { ip, at: time, owner, ...lists, assumeTag: all('assumeTag') }
}

/** The facts that options state. */
export function factsIn(options: FactOptions): readonly Fact[] {
  const order: readonly Fact['option'][] = ['with', 'without', 'member', 'assumeTag', 'group', 'ip', 'tag', 'owner', 'at']
  return order.flatMap((option) => [options[option] ?? []].flat().map((value) => ({ option, value })))
}

/** The long name of the option that states a fact. */
export function flagOf({ option }: Fact): string {
  return option === 'assumeTag' ? '--assume-tag' : `--${option}`
}
