/**
 * The notation of the generated tables: a list of paths in which neighbours write what they share once, so that
 * `ip(get,move),task` is `ip/get`, `ip/move`, `task`. One pass; the order is kept.
 */
export function unfold(text: string): string[] {
  const paths: string[] = []
  const outer: string[] = []
  let prefix = ''
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 40) {
      outer.push(prefix)
      prefix += `${text.slice(from, i)}/`
      from = i + 1
    } else if (c === 44 || c === 41 || i === text.length) {
      if (i > from) paths.push(prefix + text.slice(from, i))
      if (c === 41) prefix = outer.pop() as string
      from = i + 1
    }
  }
  return paths
}

/**
 * A name of the tables with the brand word of an installation. `svc` is replaced where it starts a word and a capital follows
 * (`svcCloudConnect`, `/me/svcAccount/{svcAccountId}`), and nowhere else; the script that writes the tables refuses names that
 * contain it anywhere else.
 */
export function branded(name: string, brand: string): string {
  return brand === 'svc' ? name : name.replace(/(?<![A-Za-z0-9])svc(?=[A-Z])/g, () => brand)
}
