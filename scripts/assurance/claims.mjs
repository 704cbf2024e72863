/**
 * Claims about the program: threats (T), properties (M) and promises (P).
 *
 * A claim has a sentence, what in the code brings it about, and what is wanted of its tests: `cases`, how many must be tried, and
 * what they are. Without `cases`, every test that covers the claim must pass. Tests name the claims that they cover in a comment
 * on the line above: `// covers: M14, T3`. `open` says why a figure is not reached yet.
 */

import { groups } from '../mutate/groups.mjs'

/** @typedef {{ id: string, claim: string, by: string, cases?: number, of?: string, open?: string }} Claim */

/** @type {(id: string, claim: string, by: string, cases?: number, of?: string) => Claim} */
const claim = (id, text, by, cases, of) => ({ id, claim: text, by, ...(cases !== undefined && { cases, of }) })

/** @type {readonly { readonly heading: string, readonly about: string, readonly claims: readonly Claim[] }[]} */
export const promises = [
  {
    heading: 'Promises',
    about: 'What the rest is for.',
    claims: [
      claim(
        'P1',
        'Every decision is what the semantics say',
        'a reference that reads like them: `src/simulate/reference.ts`',
        200_000,
        'decisions',
      ),
      claim(
        'P2',
        '“No new access” holds for all requests; new access comes with a request that shows it',
        'regions and their witnesses: `src/symbolic/gained.ts`',
        100_000,
        'pairs of worlds',
      ),
      claim('P3', 'What cannot be decided is said to be so, and the exit code is not 0', 'codes 0 to 3: `src/cli/app/exit.ts`'),
      claim('P4', 'What is within the limits is read, what is above is refused at its place', '`src/parser/limits.ts`'),
      claim(
        'P5',
        'The same input gives the same bytes',
        'sorted files and findings; time only from `--at` and expiries: `src/cli/input/walk.ts`',
      ),
      claim(
        'P6',
        'Nothing that is read can forge output',
        'a guard on each stream and escapes in each format: `src/report/safe.ts`',
        10_000,
        'texts',
      ),
      claim(
        'P7',
        '`lint` and `can` only read, and only what they are given; nothing that was read is run',
        'no network or process below `src/cli`; rule modules need `--allow-rules-from`',
      ),
      claim(
        'P8',
        'The package needs no other package and runs nothing when it is installed',
        'what it uses is bundled: `scripts/build.mjs`',
      ),
      claim('P9', 'Nothing to lint, or a file that could not be read, is a failure', '`src/cli/input/selection.ts`'),
      claim(
        'P10',
        'Every answer has a record of what it read, passed over and assumed, and claims no more than the record holds',
        'a record under every run: `src/coverage.ts`, `src/cli/app/record.ts`',
        200,
        'repositories',
      ),
    ],
  },
]

/** @type {typeof promises} */
export const threats = [
  {
    heading: 'Texts that mislead readers',
    about: 'A file says one thing to a person, and another to a parser.',
    claims: [
      claim(
        'T1',
        'JSON: a key given twice is an error, however it is escaped or composed',
        'own reader: `src/parser/json.ts`',
        40,
        'cases',
      ),
      claim(
        'T2',
        'YAML: the same, also for keys of different types with one text, in linear time',
        'own check of keys: `src/parser/yaml-core.ts`',
      ),
      claim('T3', 'Anchors and aliases are refused before anything is expanded', 'a scan of tokens: `src/parser/yaml.ts`'),
      claim('T4', 'An unquoted `*` is an error at its place, with the quoted text as help', 'the same scan'),
      claim('T8', 'Directives other than `%YAML 1.2`, and tags, are errors', 'the same scan', 30, 'cases'),
      claim('T9', 'The merge key `<<` is a separate error', 'the same scan'),
      claim('T10', 'The name of a file decides its notation: no YAML in `.json`', '`src/parser/read.ts`'),
      claim('T11', 'A number, date or boolean where text belongs is an error, never converted', 'types by schema: `src/parser/shape.ts`'),
      claim(
        'T12',
        'Bytes that are not UTF-8 and half surrogates are refused, a byte order mark is reported',
        '`src/cli/input/read-file.ts`, `src/parser/characters.ts`',
      ),
      claim(
        'T14',
        'Characters that hide or reorder text are reported everywhere, and keep a policy from being decided',
        '`src/spelling.ts`',
        60,
        'cases',
      ),
      claim(
        'T20',
        'An unknown key, operator or shape is an error; what is ambiguous is unknown',
        'schemas as readers: `src/parser/shape.ts`',
        20_000,
        'documents',
      ),
    ],
  },
  {
    heading: 'Texts that exhaust',
    about: 'A small file costs much time, memory or stack.',
    claims: [
      claim('T5', 'Nesting past 64 levels is one problem, before a tree is built', '`src/parser/limits.ts`', 80, 'cases'),
      claim('T6', 'Floods of tokens or errors end: 500,000 tokens, 100 problems', '`src/parser/limits.ts`'),
      claim('T7', 'Files and folders past the limits are refused', 'size before content: `src/cli/input/read-file.ts`'),
      claim('T15', 'No pattern of the user becomes a regular expression; matching never tracks back', 'matching by pieces: `src/glob.ts`'),
      claim(
        'T31',
        'An analysis that takes too many steps is undecided, and names what it was about: one budget for each run',
        'a budget of steps, handed down: `src/budget.ts`',
      ),
    ],
  },
  {
    heading: 'Values that are more than they seem',
    about: 'A name or value is matched otherwise than its author, or its reviewer, thinks.',
    claims: [
      claim('T13', '`__proto__` and its like are ordinary keys', 'maps and objects without prototype: `src/tree.ts`'),
      claim('T16', 'Only `*` is special in a pattern, and it stands for any text', '`src/glob.ts`', 1_000_000, 'matches'),
      claim('T17', 'A `*` in a question is refused; questions about patterns have separate commands', '`src/simulate/question.ts`'),
      claim(
        'T18',
        'Addresses have one reading: no octal, short or zoned forms; IPv4 mapped into IPv6 is reported',
        '`src/conditions`',
        120,
        'cases',
      ),
      claim('T19', 'Clocks follow the zone, through changes of summer time; unknown zones are errors', '`src/zones.ts`', 40, 'instants'),
    ],
  },
  {
    heading: 'Files and repositories',
    about: 'Names, links, and what a pull request changes besides policies.',
    claims: [
      claim(
        'T21',
        'Names of files are escaped in all output, and decide no path that is written',
        '`src/report/safe.ts`, `src/cli/output/write.ts`',
      ),
      claim('T22', 'Links are not followed, devices and pipes not read, circles not walked', 'own walk: `src/cli/input/walk.ts`'),
      claim(
        'T26',
        'Suppressions are counted and need a reason; pipelines can take the configuration from the base commit',
        '`src/lint`, `action.yml`',
      ),
      claim(
        'T33',
        'Attributes, links, ignore files, refs, modules and names do not hide a policy, in the repositories that were tried',
        'the record, unread parts as unknown policies, and refusals: `test/bypass`',
      ),
      claim(
        'T27',
        'Nothing of the repository is run: no plugin without leave, no hook or filter of git',
        '`src/cli/input/rule-modules.ts`, `src/cli/input/git.ts`',
      ),
      claim(
        'T32',
        'Dependencies are pinned, bundled and have no install scripts; pipelines pin what they run',
        '`package-lock.json`, `scripts/sbom.mjs`',
      ),
    ],
  },
  {
    heading: 'Output and failure',
    about: 'What is read acts on who reads the output, or a failure passes for success.',
    claims: [
      claim('T23', 'No text becomes a command of a build server', '`src/report/safe.ts`', 10_000, 'texts'),
      claim('T24', 'No text acts on a terminal', '`src/report/safe.ts`', 8_000, 'texts'),
      claim('T25', 'A fault of the program or the system ends with a code other than 0', '`src/cli/main.ts`'),
      claim('T28', 'SARIF stays within what servers accept, the worst first, and says what it leaves out', '`src/report/sarif.ts`'),
      claim(
        'T29',
        'Pages and Markdown hold texts as texts; there is no CSV',
        'elements from text only: `src/web/dom.ts`, `src/report/markdown.ts`',
      ),
      claim(
        'T30',
        'Excerpts are one line, cut to 160 columns, and only for users; secrets of plans are not shown',
        '`src/report/pretty.ts`, `src/declared`',
      ),
    ],
  },
]

/** @type {typeof promises} */
export const properties = [
  {
    heading: 'Decisions',
    about: 'Over random worlds of small alphabets, whose mix of verdicts is tested as well.',
    claims: [
      claim(
        'M01',
        'The engine decides as the reference does, with the same reasons',
        '`src/simulate/engine.ts` next to `src/simulate/reference.ts`',
        200_000,
        'decisions',
      ),
      claim('M02', 'Cedar decides the same', 'a translation: `src/export`', 50_000, 'decisions'),
      claim('M03', 'Without policies everything is denied, but to the owning account', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M04', 'Order does not matter', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M05', 'Repetition does not matter', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M06', 'A policy may be split by identity, resource and entry', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M07', 'One file or several is the same', '`src/parser/world.ts`', 1_000, 'questions'),
      claim('M08', 'One more allow never removes access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M09', 'One allow less never adds access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M10', 'One more deny never adds access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M11', 'One deny less never removes access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M12', 'One more `except` never adds access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M13', 'One `except` less never removes access', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M14', '`except` takes nothing from another permission set', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M15', '`except` that meets no allow of its set does nothing', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M16', 'A deny beats every allow, wherever it is', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M17', 'What one set both allows and excepts may leave its allow list', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim(
        'M18',
        'A wider pattern never removes what it allows, and never adds what it denies or excepts',
        '`src/glob.ts`',
        1_000,
        'questions',
      ),
      claim('M19', 'Other names for the same things change nothing', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim('M20', 'A policy for others changes nothing', '`src/simulate/reference.ts`', 1_000, 'questions'),
    ],
  },
  {
    heading: 'Matching',
    about: 'All patterns and texts of a small alphabet, and random ones of any letters.',
    claims: [
      claim('M21', 'The matcher is its definition, and the regular expression of the pattern', '`src/glob.ts`', 1_000_000, 'matches'),
      claim('M22', 'A pattern without `*` matches itself alone', '`src/glob.ts`'),
      claim('M23', '`**` is `*`', '`src/glob.ts`'),
      claim('M24', 'A pattern matches whatever its wildcards are filled with', '`src/glob.ts`', 1_000, 'patterns'),
      claim('M25', 'Every character but `*` stands for itself', '`src/glob.ts`'),
      claim('M26', 'The worst patterns come to an end on long texts', '`src/glob.ts`; the time is in the figure `limits`'),
    ],
  },
  {
    heading: 'Conditions and time',
    about: 'Three-valued logic, addresses and clocks.',
    claims: [
      claim('M27', 'AND, OR and NOT obey the laws of logic', '`src/conditions`', 1_000, 'questions'),
      claim('M28', 'Unknown exactly where two completions differ, and both are shown', '`src/simulate/completion.ts`', 1_000, 'questions'),
      claim('M29', 'More knowledge never turns allow or deny', '`src/simulate/completion.ts`', 1_000, 'questions'),
      claim('M29b', 'A block of addresses of any length holds exactly its addresses, and nests', '`src/conditions`'),
      claim(
        'M29c',
        'Instant and zone shift together; each instant is one weekday; an expiry holds to its last millisecond',
        '`src/conditions/time.ts`',
        1_000,
        'questions',
      ),
    ],
  },
  {
    heading: 'Differences',
    about: 'Pairs of worlds with known edits, of which 30 to 70 % add access.',
    claims: [
      claim('M30', 'A world grants nothing that it does not grant itself', '`src/symbolic/covers.ts`', 1_000, 'pairs'),
      claim('M31', 'A difference is what trying every question finds', '`src/symbolic/covers.ts`', 100_000, 'pairs'),
      claim('M32', 'Where none is found, 1,000 random questions show none', '`src/symbolic/covers.ts`', 10_000, 'questions'),
      claim(
        'M33',
        'Every witness is allowed on one side and not on the other, by the simulator',
        '`src/symbolic/witness.ts`',
        1_000,
        'pairs',
      ),
      claim('M34', 'Inclusion is transitive', '`src/symbolic/covers.ts`', 1_000, 'triples'),
      claim('M35', 'More allows only add, more denies and excepts only take away', '`src/symbolic/covers.ts`', 1_000, 'pairs'),
      claim('M36', 'Where each side includes the other, both decide alike', '`src/symbolic/covers.ts`', 1_000, 'pairs'),
      claim('M37', 'Rewriting that keeps the meaning shows no difference', '`src/symbolic/covers.ts`', 1_000, 'pairs'),
      claim('M38', 'Without the entries that grant a witness it is not granted', '`src/symbolic/witness.ts`', 1_000, 'pairs'),
      claim('M39', 'A larger budget changes no answer', '`src/symbolic/search.ts`', 1_000, 'pairs'),
      claim('M40', 'The shortcut for unchanged policies changes no answer', '`src/symbolic/side.ts`', 1_000, 'pairs'),
      claim('M41', 'Everything includes all; nothing includes only what grants nothing', '`src/symbolic/covers.ts`', 1_000, 'worlds'),
      claim(
        'M41b',
        'A value that is not known is the same on both sides only where it is given the same; there is new access for the values for which the proofs say so',
        '`src/hcl/inputs.ts`, `src/unknown/without-unknowns.ts`',
        500,
        'pairs',
      ),
    ],
  },
  {
    heading: 'The whole tool',
    about: 'Reports, notations, fixes, and commands next to one another.',
    claims: [
      claim('M42', 'No control character and no command of a build server is in any output', '`src/report/safe.ts`', 10_000, 'texts'),
      claim('M43', 'JSON and SARIF are read back as what was written', '`src/report`', 4_000, 'texts'),
      claim('M44', 'Pages hold what was read as text alone', '`src/page`'),
      claim('M45', 'JSON and YAML of one policy have the same findings and decisions', '`src/parser`'),
      claim('M46', 'What is written out and read again is the same', '`src/parser`, `src/convert`', 1_000, 'documents'),
      claim('M47', 'Comments, blanks and the order of keys change no finding', '`src/lint`', 1_000, 'files'),
      claim('M48', 'A safe fix changes no decision', 'proved before it is written: `src/lint/may-fix.ts`', 1_000, 'files'),
      claim(
        'M49',
        'What is called redundant or shadowed can be deleted',
        '`src/rules/whole-set`, `src/rules/support/cover.ts`',
        1_000,
        'worlds',
      ),
      claim('M50', 'A group or wildcard may be replaced by what it holds', '`src/simulate/reference.ts`', 1_000, 'questions'),
      claim(
        'M51',
        '`who`, `what` and `can` agree; reasons are enough for a decision, and needed',
        '`src/symbolic/who.ts`, `src/symbolic/what.ts`',
        1_000,
        'worlds',
      ),
      claim('M52', 'Any file ends with a code from 0 to 3, and no stack trace', '`src/cli/main.ts`', 10_000, 'files'),
      claim('M53', 'Two runs, and files in another order, give the same bytes', '`src/cli/input/walk.ts`'),
      claim('M54', 'Findings about one file alone do not depend on others', '`src/lint/lint-files.ts`', 1_000, 'files'),
      claim('M55', 'What is remembered changes no answer', '`src/memo.ts`, `src/simulate/engine.ts`', 1_000, 'questions'),
    ],
  },
]

/** Figures of runs that are no claim of these tables, and why one that is not there is missing. */
export const runs = [
  'corpus',
  'faults',
  'fuzz',
  'gate',
  'injection',
  'limits',
  ...groups.map(({ name }) => `mutation/${name}`),
  'openapi',
  'oracle',
  'release',
  'repositories',
  'smt-cvc5',
  'smt-z3',
  'smt-z3str3',
  'soak',
]

/** Runs and claims whose figure is not reached, with the reason. The check fails for every other one, and for one that is reached. */
export const notReached = {
  'mutation/scripts':
    'policies in scripts and pipelines; the tests that compare the strings with what bash and the YAML library give start programs, and are not among those of mutation testing',
}
