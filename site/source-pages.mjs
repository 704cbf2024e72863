// The pages that show files of the repository: plain HTML with line numbers, without the framework of the other pages. Each of these
// has a script with all of its content, and tokens of code make it ten times as large as the file.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { bundledThemes, createHighlighter } from 'shiki'
import { top } from './navigation.mjs'

/** Of a larger file its first lines are shown; of the files of a larger folder only their names. */
const most = { file: 100_000, folder: 40_000, lines: 1000 }

const languages = {
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.lock': 'yaml',
  '.json': 'json',
  '.ndjson': 'json',
  '.mjs': 'js',
  '.js': 'js',
  '.ts': 'ts',
  '.sh': 'sh',
  '.tf': 'hcl',
  '.md': 'md',
  '.v': 'coq',
}

export const languageOf = (name) => languages[extname(basename(name))] ?? 'text'

/** The themes of code on all pages. */
export const codeThemes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }

/** Where the page of a file or folder is. The framework would look for a page of its own under a name with `.md`. */
export const sourcePlace = (path) => `files/${path.replace(/\.md$/, '-md')}.html`

/** Files by their paths on the site: a page for each path of the repository, and their style and script. */
export async function sourcePages(root, paths, base) {
  const highlighter = await createHighlighter({ themes: [codeThemes.light], langs: [...new Set(Object.values(languages))] })
  const colours = await classesOfColours()
  const pages = Object.fromEntries(
    [...paths].map((path) => [sourcePlace(path), page(path, base, contentOf(root, path, paths, base, { highlighter, colours }))]),
  )
  highlighter.dispose()
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const tokens = [...colours.values()].map(({ name, colour }) => `.${name} {\n  color: ${colour};\n}\n`)
  return {
    ...pages,
    'files/source.css': [read('src/theme.css'), read('site/source.css'), ...tokens].join('\n'),
    'files/source.js': read('site/source.js'),
  }
}

function contentOf(root, path, paths, base, code) {
  if (!statSync(join(root, path)).isDirectory()) return codeOf(readFileSync(join(root, path), 'utf8'), path, 'L', code)
  const files = readdirSync(join(root, path))
    .filter((name) => statSync(join(root, path, name)).isFile())
    .map((name) => ({ name, text: readFileSync(join(root, path, name), 'utf8') }))
  const isShown = files.reduce((sum, { text }) => sum + text.length, 0) <= most.folder
  const place = (name) => {
    if (isShown) return `#${name}`
    return paths.has(`${path}/${name}`) ? `${base}${sourcePlace(`${path}/${name}`)}` : undefined
  }
  const rows = files.map(({ name, text }) => `<li>${linked(name, place(name))} <span class="note">${lines(text).length} lines</span></li>`)
  const shown = (isShown ? files : []).map(
    ({ name, text }) => `<h2 id="${escaped(name)}">${escaped(name)}</h2>\n${codeOf(text, name, `${name}-L`, code)}`,
  )
  return `<ul class="list">\n${rows.join('\n')}\n</ul>\n${shown.join('\n')}`
}

const linked = (words, href) => (href === undefined ? escaped(words) : `<a href="${escaped(href)}">${escaped(words)}</a>`)

const lines = (text) => text.trimEnd().split('\n')

/** A text as numbered lines, coloured. `prefix`: of the ids of its lines. */
function codeOf(text, name, prefix, { highlighter, colours }) {
  const all = lines(text)
  const isCut = text.length > most.file && all.length > most.lines
  const shown = (isCut ? all.slice(0, most.lines) : all).join('\n')
  const tokens = highlighter.codeToTokensBase(shown, { lang: languageOf(name), theme: codeThemes.light })
  const rows = tokens.map((line, i) => {
    const id = escaped(`${prefix}${i + 1}`)
    return `<a id="${id}" href="#${encodeURI(id)}">${i + 1}</a>${runsOf(line, colours).map(spanOf).join('')}`
  })
  const note = isCut ? `<p class="note">The first ${most.lines} of ${all.length} lines.</p>\n` : ''
  return `${note}<pre tabindex="0" aria-label="${escaped(name)}"><code>${rows.join('\n')}\n</code></pre>\n`
}

/**
 * The class for each colour of the light theme, with the colours of both: the dark theme has another colour for the same scopes. Code
 * is read for one theme only, which takes half the time.
 */
async function classesOfColours() {
  const [light, dark] = await Promise.all(
    Object.values(codeThemes).map(async (theme) => {
      const { colors, tokenColors } = (await bundledThemes[theme]()).default
      return new Map([['', colors['editor.foreground']], ...tokenColors.map(({ scope, settings }) => [String(scope), settings.foreground])])
    }),
  )
  const pairs = [...light].filter(([, colour]) => colour !== undefined)
  return new Map(
    pairs.map(([scope, colour], i) => [
      colour.toLowerCase(),
      { name: `t${i}`, colour: `light-dark(${colour}, ${dark.get(scope) ?? dark.get('')})` },
    ]),
  )
}

/** The tokens of a line with the class of their colour; neighbours of the same class are one. */
function runsOf(line, colours) {
  const runs = []
  for (const { content, color } of line) {
    const { name } = colours.get((color ?? '').toLowerCase()) ?? {}
    const last = runs.at(-1)
    if (last && (last.name === name || content.trim() === '')) last.content += content
    else runs.push({ name, content })
  }
  return runs
}

const spanOf = ({ name, content }) => (name === undefined ? escaped(content) : `<span class="${name}">${escaped(content)}</span>`)

function page(path, base, content) {
  const links = top.map(({ text, link }) => `<a href="${base}${link.slice(1)}.html">${text}</a>`)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escaped(path)}, a file of the repository of grantwise.">
<title>${escaped(path)} | grantwise</title>
<link rel="icon" type="image/svg+xml" href="${base}mark.svg">
<link rel="stylesheet" href="${base}files/source.css">
<script src="${base}files/source.js"></script>
</head>
<body>
<header><a class="brand" href="${base}index.html"><img src="${base}mark.svg" alt="" width="24" height="24">grantwise</a><nav aria-label="Main">${links.join('')}</nav></header>
<main>
<h1>${escaped(path)}</h1>
${content}</main>
</body>
</html>
`
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text) => text.replaceAll(/[&<>"]/g, (character) => entities[character])
