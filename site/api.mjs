// The pages of the library, from its types by TypeDoc: a page for each topic, with all names of it. Most names are types of a few
// lines, which are read together with the functions that take them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { outsideCode, outsideFences } from './markdown.mjs'

/** Modules that programs import. The names of a module without topics are on its first page. */
const modules = [
  {
    file: 'index.d.ts',
    name: 'grantwise',
    place: 'api/',
    words:
      'Decisions, lint and differences for programs. Every function is a function of its arguments: it reads no file and no clock, and runs in Node and in browsers. [Library](/api.md) shows first programs, and the [examples](/examples/library.md) more.',
    topics: [
      [
        'reading',
        'Read policies',
        'From files to a world: their notations, and what policies say.',
        /^(?:parser|sources|source|names|policy)\b/,
      ],
      [
        'decisions',
        'Decide',
        'One question with its verdict, and the parts of policies that decide it.',
        /^(?:simulate\/|conditions\/|library\/questions)/,
      ],
      [
        'access',
        'List access',
        'Who may do something, everything that an identity may do, and answers in words.',
        /^(?:symbolic\/|answers\/wh|library\/(?:words|access))/,
      ],
      [
        'proposals',
        'Propose',
        'Edits that turn an answer, smaller policies, and ways to more rights.',
        /^(?:propose|usage|report\/minimise|answers\/suggest|library\/(?:proposals|escalate)|escalation)\b/,
      ],
      [
        'tests',
        'Test, convert and report',
        'Policy tests, policies in another notation, and SARIF.',
        /^(?:library\/(?:policy-tests|convert|sarif)|report\/suite)\b/,
      ],
      [
        'differences',
        'Compare',
        'The access that a change gains and loses, and access that starts or ends with time.',
        /^(?:diff|answers)\//,
      ],
      ['linting', 'Lint', 'Findings, their levels and fixes, configurations and suppressions.', /^(?:lint\/|diagnostic\b)/],
      ['rules', 'Rules', 'The rules of the linter, and rules of your own.', /^rules\//],
      [
        'translation',
        'Catalogue and Cedar',
        'The catalogue of actions, and policies in the Cedar language.',
        /^(?:actions\/|export\/|library\/cedar)/,
      ],
    ],
  },
  {
    file: 'embed.d.ts',
    name: 'grantwise/emulator',
    place: 'api/emulator/',
    words: '[The emulator](/service.md) in the process of a test.',
    topics: [],
  },
]

/** Pages by their paths on the site. */
export function apiPages(root, site) {
  return Object.assign({}, ...modules.map((module) => pagesOf(root, site, module)))
}

function pagesOf(root, site, module) {
  const { file, name, place, words, topics } = module
  const out = mkdtempSync(join(tmpdir(), 'grantwise-api-'))
  const options = { tsconfig: 'api.tsconfig.json', options: 'typedoc.json', router: 'member', out }
  const flags = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(site, 'node_modules/typedoc/bin/typedoc'), join(root, 'dist/types', file), ...flags],
      { cwd: site, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`typedoc of ${name}:\n${stdout}${stderr}`)
    const paths = readdirSync(out, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
    const read = (path) => readFileSync(join(out, path), 'utf8')
    const members = paths.filter((path) => path.endsWith('.md') && path !== 'index.md').sort(byName)
    const topicOf = topics.length === 0 ? () => 'index' : topicsOf(root, module)
    const targets = new Map(members.map((path) => [path, `/${place}${topicOf(nameIn(path))}.md#${nameIn(path)}`]))
    const membersOf = (topic) =>
      members.filter((path) => topicOf(nameIn(path)) === topic).map((path) => linked(section(read(path), nameIn(path)), path, targets))
    const list = topics.map(([topic, title, about]) => `| [${title}](/${place}${topic}.md) | ${about} |`)
    const contents = list.length > 0 ? `\n\n| topic | has |\n|---|---|\n${list.join('\n')}` : ''
    const start = linked(first(read('index.md'), name, `${words}${contents}`), 'index.md', targets)
    return {
      [`${place}index.md`]: [start, ...membersOf('index')].join('\n'),
      ...Object.fromEntries(
        topics.map(([topic, title, about]) => [
          `${place}${topic}.md`,
          [`---\noutline: 2\n---\n\n# ${title} {#topic}\n\n${about}\n`, ...membersOf(topic)].join('\n'),
        ]),
      ),
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const nameIn = (path) => posix.basename(path, '.md')

/** By name, whatever the case of the first letter: a function is next to the type of its result. */
const byName = (a, b) => nameIn(a).toLowerCase().localeCompare(nameIn(b).toLowerCase(), 'en') || a.localeCompare(b, 'en')

/** The topic of a name, by the file that declares it. */
function topicsOf(root, { file, topics }) {
  const source = readFileSync(join(root, 'src', file.replace('.d.ts', '.ts')), 'utf8')
  const files = new Map(
    [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/([^']*)'/gms)].flatMap(([, names, from]) =>
      names.split(',').map((each) => [each.replace(/^\s*type\b/, '').trim(), from]),
    ),
  )
  return (name) => {
    const topic = topics.find(([, , , pattern]) => pattern.test(files.get(name) ?? ''))
    if (topic === undefined) throw new Error(`${name} of ${files.get(name)} has no topic in site/api.mjs`)
    return topic[0]
  }
}

/** The page of a name as a part of the page of the topic. The name is the anchor, and every other anchor begins with it. */
function section(text, name) {
  const taken = new Map()
  const idOf = (title, i) => {
    if (i === 0) return name
    const words = `${name}-${title
      .toLowerCase()
      .replaceAll(/[^\w]+/g, '-')
      .replaceAll(/^-|-$/g, '')}`
    taken.set(words, (taken.get(words) ?? 0) + 1)
    return taken.get(words) === 1 ? words : `${words}-${taken.get(words)}`
  }
  let count = 0
  return outsideFences(text, (part) =>
    part.replace(/^(#{1,5}) (.*)$/gm, (_, marks, title) => `#${marks} ${title} {#${idOf(title, count++)}}`),
  ).replaceAll('<a id="property-', `<a id="${name}.`)
}

/** A text with its links to names led to their topics. `path`: where it was written for. */
function linked(text, path, targets) {
  return outsideCode(text, (part) =>
    part.replaceAll(/\]\(([^)#:\s]+\.md)(#[^)]*)?\)/g, (whole, target, anchor = '') => {
      const place = targets.get(posix.join(posix.dirname(path), target))
      return place === undefined ? whole : `](${place}${anchor.startsWith('#property-') ? anchor.replace('#property-', '.') : ''})`
    }),
  )
}

/** The page that a module begins with. */
function first(text, name, words) {
  return text.replace(/^# .*$/m, () => `# ${name}\n\n${words}\n\n\`\`\`ts\nimport { … } from '${name}'\n\`\`\``)
}
