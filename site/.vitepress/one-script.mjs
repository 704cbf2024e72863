/**
 * VitePress writes the script of each page twice: whole, and without what its HTML holds, for those who come to the page first. The
 * second saves them some kilobytes, and doubles the scripts of the site. Here every page has the whole one.
 */
export const oneScript = {
  name: 'one-script',
  enforce: 'post',
  transform(code, id) {
    if (!id.split('?')[0].endsWith('/vitepress/dist/client/app/index.js')) return undefined
    const asked = /\bif \(isInitialPageLoad\) \{\s*pageFilePath = pageFilePath\.replace\([^)]*lean[^)]*\);?\s*\}/
    if (!asked.test(code))
      throw new Error('this version of VitePress asks for short scripts in another way: site/.vitepress/one-script.mjs')
    return { code: code.replace(asked, ''), map: null }
  },
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (bundle[name].fileName.endsWith('.lean.js')) delete bundle[name]
  },
}

/** The HTML of a page that loads the whole script. */
export const withOneScript = (html) => html.replaceAll(/(\.[\w-]{8})\.lean\.js"/g, '$1.js"')
