// The settings of a build, from the environment.

/** The settings of a build; an error that names the variable for one that cannot be used. */
export function settingsOf(env) {
  const { GRANTWISE_SITE_BASE: base = '/', GRANTWISE_SITE_URL: url, GRANTWISE_SITE_EDIT: edit } = env
  if (!/^\/(?:[\w.-]+\/)*$/.test(base))
    throw new Error(
      `GRANTWISE_SITE_BASE is \`${base}\`, but the folder of the site begins and ends with a slash: set it to such as /grantwise/`,
    )
  return { base, url: addressOf(url, base), edit: patternOf(edit) }
}

/** The address of the start page; undefined where none is set. */
function addressOf(url, base) {
  if (!url) return undefined
  if (!isWeb(url))
    throw new Error(`GRANTWISE_SITE_URL is \`${url}\`, which is no address for the sitemap: set it to such as https://docs.example.org`)
  return new URL(base, url).href
}

/** Where a file of the repository is edited: an address with \`:path\`; undefined where none is set. */
function patternOf(edit) {
  if (!edit) return undefined
  if (!isWeb(edit) || !edit.includes(':path'))
    throw new Error(
      `GRANTWISE_SITE_EDIT is \`${edit}\`, which leads to no file: set it to an address with :path, such as https://git.example.org/grantwise/edit/main/:path`,
    )
  return edit
}

const isWeb = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
