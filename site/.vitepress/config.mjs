import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { descriptionOf } from '../markdown.mjs'
import { commandSidebar, sidebar, top } from '../navigation.mjs'
import { settingsOf } from '../settings.mjs'
import { codeThemes } from '../source-pages.mjs'
import { oneScript, withOneScript } from './one-script.mjs'

const pages = fileURLToPath(new URL('../.pages/', import.meta.url))
const { version, titles, commands, sources } = JSON.parse(readFileSync(`${pages}site.json`, 'utf8'))
const { base, url, edit } = settingsOf(process.env)

export default defineConfig({
  title: 'grantwise',
  description: 'Offline linter and simulator for IAM policies',
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  ...(url ? { sitemap: { hostname: url } } : {}),
  // Code that all pages share is a file, not a script in each page.
  metaChunk: true,
  // Links between pages are checked here, anchors by test/site.
  ignoreDeadLinks: false,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }],
    ['meta', { name: 'theme-color', content: '#0b6e5f' }],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
  ],
  markdown: {
    // As Git servers make them, so that one link works in both places.
    anchor: { slugify: anchorOf },
    theme: codeThemes,
    config: (md) => {
      md.renderer.rules.table_open = () => '<div class="scroller" tabindex="0" role="group" aria-label="Table">\n<table>\n'
      // A heading without words is a cell.
      const isEmpty = (tokens, i) => tokens[i].content === ''
      md.renderer.rules.th_open = (tokens, i, options, _, self) => (isEmpty(tokens, i + 1) ? '<td>' : self.renderToken(tokens, i, options))
      md.renderer.rules.th_close = (tokens, i, options, _, self) =>
        isEmpty(tokens, i - 1) ? '</td>' : self.renderToken(tokens, i, options)
      // Braces in code are code, and nothing for the framework to fill in.
      const inline = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (tokens, i, ...more) => {
        tokens[i].attrSet('v-pre', '')
        // An option is one word: no line break after its hyphens.
        if (/^--?[a-z][\w-]*$/i.test(tokens[i].content)) tokens[i].attrJoin('class', 'option')
        return inline(tokens, i, ...more)
      }
      // Files of the repository are pages of their own kind: the browser loads them, not the framework.
      const link = md.renderer.rules.link_open
      md.renderer.rules.link_open = (tokens, i, ...more) => {
        const html = link(tokens, i, ...more)
        return tokens[i].attrGet('href')?.startsWith(`${base}files/`) ? html.replace('<a ', '<a target="_self" ') : html
      }
      md.renderer.rules.table_close = () => '</table>\n</div>\n'
    },
  },
  transformPageData: (page) => ({
    description:
      page.description ||
      page.frontmatter.hero?.tagline ||
      descriptionOf(readFileSync(`${pages}${page.relativePath}`, 'utf8')) ||
      about(page),
    // Generated pages have no link to edit them.
    filePath: sources[page.relativePath] ?? '',
    frontmatter: sources[page.relativePath] ? page.frontmatter : { ...page.frontmatter, editLink: false },
  }),
  transformHtml: (code) => withPolicy(withOneScript(code)),
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      ...top,
      {
        text: version,
        items: [
          ...(existsSync(`${pages}changelog.md`) ? [{ text: 'Changelog', link: '/changelog' }] : []),
          { text: 'Assurance', link: '/assurance' },
          { text: 'Contributing', link: '/contributing' },
        ],
      },
    ],
    sidebar: { '/commands/': commandSidebar(commands), '/': sidebar(titles) },
    ...(edit ? { editLink: { pattern: edit, text: 'Edit this page' } } : {}),
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: { detailedView: false, _render: (text, env, md) => withoutColours(md, () => md.render(text, env)) },
    },
    docFooter: { prev: false, next: false },
    darkModeSwitchLabel: 'Colours',
    footer: { message: 'This site loads nothing from elsewhere, and sends nothing anywhere.' },
  },
  vite: {
    // The buttons and cards of the start page are components of all pages, in the place of those of the theme.
    resolve: {
      alias: ['button', 'feature'].map((name) => ({
        find: new RegExp(`^.*/VP${name.charAt(0).toUpperCase()}${name.slice(1)}\\.vue$`),
        replacement: fileURLToPath(new URL(`theme/${name}.js`, import.meta.url)),
      })),
    },
    plugins: [oneScript],
    publicDir: `${pages}public`,
    build: { chunkSizeWarningLimit: 2000 },
    server: { fs: { allow: ['..'] } },
  },
})

/** The description of a page that has no paragraph. */
const about = ({ title, relativePath }) =>
  `${title}, ${relativePath.startsWith('api/') ? 'a name of the library' : 'a page of the documentation'} of grantwise.`

/** Render without colours of code, which take most of the time: the search has no use for them. */
function withoutColours(md, make) {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return make()
  } finally {
    md.options.highlight = highlight
  }
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

/** The style that the theme sets while colours change. */
const withoutTransitions =
  '*,*::before,*::after{-webkit-transition:none!important;-moz-transition:none!important;-o-transition:none!important;-ms-transition:none!important;transition:none!important}'

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** A page with its policy: scripts and styles of the site alone, and the scripts within the page by their hashes. */
function withPolicy(code) {
  const hashes = [...code.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    `style-src 'self' '${hashOf(withoutTransitions)}'`,
    // The colours of code are attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return code.replace('<meta charset="utf-8">', `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
}
