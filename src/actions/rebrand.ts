/**
 * A name in the words of another installation: the brand word is mapped in the namespace `api<brand>`, and where it starts
 * a word and a capital follows (`svcCloudConnect`, `/me/svcAccount/{svcAccountId}`), and nowhere else.
 */
export function rebrand(name: string, from: string, to: string): string {
  if (from === to) return name
  let out = ''
  let done = 0
  for (let index = name.indexOf(from); index >= 0; index = name.indexOf(from, index + from.length)) {
    if (!isBrand(name, index, index + from.length)) continue
    out += name.slice(done, index) + to
    done = index + from.length
  }
  return out + name.slice(done)
}

function isBrand(name: string, start: number, end: number): boolean {
  if (name.startsWith(':api', start - 4) && name[end] === ':') return true
  return !/[A-Za-z0-9]/.test(name.charAt(start - 1)) && /[A-Z]/.test(name.charAt(end))
}
