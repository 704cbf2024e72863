// The pages that show files of the repository: plain HTML with line numbers, without the framework of the other pages. Each of these
// has a script with all the content, and tokens of code make it ten times as large as the file.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { bundledThemes, createHighlighter } from 'shiki'
import { top } from './navigation.mjs'

/**
 * Of a larger file its first lines are shown. All files of a folder that pages link to are shown on its page unless it is larger; so are
 * the files of a folder that pages link to one by one.
 */
const most = { file: 100_000, lines: 1000, folder: 40_000, together: 100_000 }

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

const languageOf = (name) => languages[extname(name)] ?? 'text'

/** The themes of code on all pages. */
export const codeThemes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }

/** The framework would look for a page of its own under a name with `.md`. */
const pageOf = (path) => `files/${path.replace(/\.md$/, '-md')}.html`

/** The pages of `paths`, files and folders of the repository, by their paths on the site, and where each path is shown: `places`. */
export async function sourcePages(root, paths, base) {
  const highlighter = await createHighlighter({ themes: [codeThemes.light], langs: [...new Set(Object.values(languages))] })
  const colours = await classesOfColours()
  const { pages, places } = planned(root, paths)
  const written = pages.map((page) => [
    pageOf(page.path),
    pageHtml(page, base, contentOf(root, page, places, base, { highlighter, colours })),
  ])
  highlighter.dispose()
  const tokens = [...colours.values()].map(({ name, colour }) => `.${name} {\n  color: ${colour};\n}\n`)
  const style = [...['src/theme.css', 'src/components.css', 'site/source.css'].map((path) => readFile(root, path)), ...tokens].join('\n')
  return {
    places,
    files: { ...Object.fromEntries(written), 'files/source.css': style, 'files/source.js': readFile(root, 'site/source.js') },
  }
}

const readFile = (root, path) => readFileSync(join(root, path), 'utf8')

/** Which pages there are: `names` are listed on a page, and `shown` are on it; a page without names shows the file at the path. */
function planned(root, paths) {
  const isFolder = (path) => statSync(join(root, path)).isDirectory()
  const sizeOf = (files) => files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  const linked = [...paths].filter((path) => !isFolder(path)).sort()
  const folders = new Set([...paths].filter(isFolder))
  const pages = []
  const places = new Map()
  for (const folder of [...new Set([...folders, ...linked.map((file) => posix.dirname(file))])].sort()) {
    const own = linked.filter((file) => posix.dirname(file) === folder)
    const names = folders.has(folder) ? filesIn(root, folder) : own
    const isTogether = folder !== '.' && sizeOf(own) <= most.together && (folders.has(folder) || own.length > 1)
    const shown = folders.has(folder) && sizeOf(names) <= most.folder ? names : isTogether ? own : []
    if (folders.has(folder) || shown.length > 0) pages.push({ path: folder, names, shown })
    places.set(folder, pageOf(folder))
    for (const file of own) {
      if (!shown.includes(file)) pages.push({ path: file })
      places.set(file, shown.includes(file) ? `${pageOf(folder)}#${posix.basename(file)}` : pageOf(file))
    }
  }
  return { pages, places }
}

const filesIn = (root, folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(root, path)).isFile())

function contentOf(root, { path, names, shown }, places, base, code) {
  if (names === undefined) return codeOf(readFile(root, path), path, 'L', code)
  const place = (file) => {
    if (shown.includes(file)) return `#${posix.basename(file)}`
    return places.has(file) ? `${base}${places.get(file)}` : undefined
  }
  const rows = names.map((file) => {
    const count = lines(readFile(root, file)).length
    return `<li>${linked(posix.basename(file), place(file))} <span class="note">${count} ${count === 1 ? 'line' : 'lines'}</span></li>`
  })
  const parts = shown.map((file) => {
    const name = posix.basename(file)
    return `<h2 id="${escaped(name)}">${escaped(name)}</h2>\n${codeOf(readFile(root, file), name, `${name}-L`, code)}`
  })
  return `<ul class="list">\n${rows.join('\n')}\n</ul>\n${parts.join('\n')}`
}

const linked = (words, href) => (href === undefined ? escaped(words) : `<a href="${escaped(href)}">${escaped(words)}</a>`)

const lines = (text) => text.trimEnd().split('\n')

/** A text as numbered lines, coloured. `prefix`: of the ids of the lines. */
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
 * The class for each colour of the light theme but that of plain text, with the colours of both: the dark theme has another colour for
 * the same scopes. Code is read for one theme only, which takes half the time.
 */
async function classesOfColours() {
  const [light, dark] = await Promise.all(
    Object.values(codeThemes).map(async (theme) => {
      const { colors, tokenColors } = (await bundledThemes[theme]()).default
      return new Map([['', colors['editor.foreground']], ...tokenColors.map(({ scope, settings }) => [String(scope), settings.foreground])])
    }),
  )
  const pairs = [...light].filter(([, colour]) => colour !== undefined && colour !== light.get(''))
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

/** The switch of the colours, as the theme of the other pages has it. The script of the page shows it. */
const schemeSwitch = `<button type="button" role="switch" class="scheme" aria-checked="false" hidden><svg viewBox="0 0 24 24" aria-hidden="true">
<g class="sun"><circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41"/></g>
<path class="moon" d="M12 3a6 6 0 0 0 9 9 9 9 0 1 1-9-9Z"/>
</svg></button>`

function pageHtml({ path, names }, base, content) {
  const links = top.map(({ text, link }) => `<a href="${base}${link.slice(1)}.html">${text}</a>`)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escaped(path)}, a ${names === undefined ? 'file' : 'folder'} of the repository of grantwise.">
<title>${escaped(path)} | grantwise</title>
<link rel="icon" type="image/svg+xml" href="${base}mark.svg">
<link rel="stylesheet" href="${base}files/source.css">
<script src="${base}files/source.js"></script>
</head>
<body class="ui">
<header><a class="brand" href="${base}index.html"><img src="${base}mark.svg" alt="" width="24" height="24">grantwise</a><nav aria-label="Main">${links.join('')}</nav>${schemeSwitch}</header>
<main>
<h1>${escaped(path)}</h1>
${content}</main>
</body>
</html>
`
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text) => text.replaceAll(/[&<>"]/g, (character) => entities[character])
