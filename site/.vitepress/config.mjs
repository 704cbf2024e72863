import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { sidebar } from '../navigation.mjs'

const pages = fileURLToPath(new URL('../.pages/', import.meta.url))
const { version, titles } = JSON.parse(readFileSync(`${pages}site.json`, 'utf8'))
/** The folder of the site on its server: `/`, or `/grantwise/`. */
const base = process.env.GRANTWISE_SITE_BASE ?? '/'

export default defineConfig({
  title: 'grantwise',
  description: 'Offline linter and simulator for IAM policies',
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  // What all pages share is a file, not a script in each page.
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
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table">\n<table>\n'
      // A heading without words is a cell.
      const isEmpty = (tokens, i) => tokens[i].content === ''
      md.renderer.rules.th_open = (tokens, i, options, _, self) => (isEmpty(tokens, i + 1) ? '<td>' : self.renderToken(tokens, i, options))
      md.renderer.rules.th_close = (tokens, i, options, _, self) =>
        isEmpty(tokens, i - 1) ? '</td>' : self.renderToken(tokens, i, options)
      // Braces in code are code, and nothing for the framework to fill in.
      const inline = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (tokens, i, ...more) => {
        tokens[i].attrSet('v-pre', '')
        return inline(tokens, i, ...more)
      }
      md.renderer.rules.table_close = () => '</table>\n</div>\n'
    },
  },
  transformHtml: (code) => withPolicy(code),
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Questions', link: '/questions' },
      { text: 'Rules', link: '/rules' },
      { text: 'Playground', link: '/playground' },
      {
        text: version,
        items: [
          ...(existsSync(`${pages}changelog.md`) ? [{ text: 'Changelog', link: '/changelog' }] : []),
          { text: 'Assurance', link: '/assurance' },
          { text: 'Contributing', link: '/contributing' },
        ],
      },
    ],
    sidebar: sidebar(titles),
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        // What pages link to of the repository is no documentation: it would stand before what is looked for.
        _render: (text, env, md) => (env.relativePath.startsWith('files/') ? '' : md.render(text, env)),
      },
    },
    docFooter: { prev: false, next: false },
    darkModeSwitchLabel: 'Colours',
    footer: { message: 'This site loads nothing from elsewhere, and sends nothing anywhere.' },
  },
  vite: {
    publicDir: `${pages}public`,
    build: { chunkSizeWarningLimit: 2000 },
    server: { fs: { allow: ['..'] } },
  },
})

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
