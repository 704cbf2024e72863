// Texts that a registry and a marketplace show of the project: its addresses, from the one place that names the repository.

/** The organisation that the sources name until there is one. */
const placeholder = 'your-org'

/**
 * The addresses of the project, by the `repository` of package.json. `files`: where a file of this version is read; `raw`: where its
 * bytes are, for pictures. An error where the repository is none that pages can be linked in.
 */
export function publicationOf({ repository, version }) {
  const [, host, organisation, name] = /^git\+https:\/\/([^/]+)\/([\w-]+)\/([\w.-]+)\.git$/.exec(repository?.url ?? '') ?? []
  if (name === undefined)
    throw new Error(`package.json: \`repository.url\` is \`${repository?.url}\`: expected git+https://HOST/ORGANISATION/NAME.git`)
  const web = `https://${host}/${organisation}/${name}`
  return {
    organisation,
    isPlaceholder: organisation === placeholder,
    web,
    files: `${web}/blob/v${version}/`,
    raw: `${web}/raw/v${version}/`,
  }
}

/** The fault that prevents a release: the organisation is the placeholder. Undefined where nothing does. */
export function releaseFault({ organisation, isPlaceholder }) {
  return isPlaceholder ? `package.json: \`repository\` names the placeholder \`${organisation}\`: set it before a release` : undefined
}

/** The fault of pages that a release must not carry: they say that there is none yet. Undefined where there is none. */
export function pageFault(pages) {
  const early = pages.filter(({ text }) => /\bnot in the npm registry yet\b/.test(text)).map(({ path }) => path)
  return early.length > 0 ? `${early.join(', ')}: \`not in the npm registry yet\`: say how the package is installed from there` : undefined
}

/** The fields of a manifest that name the project's addresses. */
export function addressFields(manifest) {
  const { web, organisation } = publicationOf(manifest)
  return { repository: manifest.repository, homepage: `${web}#readme`, bugs: { url: `${web}/issues` }, author: organisation }
}

/**
 * A page of the repository as a registry shows it, where no other file of the repository is: its links and pictures are addresses.
 * `folder`: that of the page, ending in a slash, or empty.
 */
export function publishedPage(text, folder, { files, raw }) {
  return text.replace(/(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g, (link, picture, label, target) => {
    if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target)) return link
    const path = new URL(target, `file:///${folder}`).href.slice('file:///'.length)
    return `${picture}[${label}](${picture === '!' ? raw : files}${path})`
  })
}

/** The manifest as it is published: without what only a checkout uses. */
export function publishedManifest({ scripts: _scripts, devDependencies: _tools, ...manifest }) {
  return { ...manifest, ...addressFields(manifest) }
}
