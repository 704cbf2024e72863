// The pages of the library, from its types by TypeDoc.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What programs import. A large module has a page for each name, a small one is a page. */
const modules = [
  {
    file: 'index.d.ts',
    name: 'grantwise',
    place: 'api/',
    router: 'member',
    words:
      'Decisions, lint and differences for programs. Every function is a function of its arguments: it reads no file and no clock, and runs in Node and in browsers. [Examples](/examples/library.md) show them at work.',
  },
  {
    file: 'embed.d.ts',
    name: 'grantwise/emulator',
    place: 'api/emulator/',
    router: 'member',
    words: '[The emulator](/service.md) in the process of a test.',
  },
]

/** Pages by their paths on the site. */
export function apiPages(root, site) {
  return Object.assign({}, ...modules.map((module) => pagesOf(root, site, module)))
}

function pagesOf(root, site, { file, name, place, router, words }) {
  const out = mkdtempSync(join(tmpdir(), 'grantwise-api-'))
  const options = { tsconfig: 'api.tsconfig.json', options: 'typedoc.json', router, out }
  const flags = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(site, 'node_modules/typedoc/bin/typedoc'), join(root, 'dist/types', file), ...flags],
      { cwd: site, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`typedoc of ${name}:\n${stdout}${stderr}`)
    const paths = readdirSync(out, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
    return Object.fromEntries(
      paths
        .filter((path) => path.endsWith('.md'))
        .map((path) => {
          const text = readFileSync(join(out, path), 'utf8')
          return [`${place}${path}`, path === 'index.md' ? first(text, name, words) : text]
        }),
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The page that a module begins with. */
function first(text, name, words) {
  return text.replace(/^# .*$/m, `# ${name}\n\n${words}\n\n\`\`\`ts\nimport { … } from '${name}'\n\`\`\``)
}
