/** Scripts that are loaded when something first needs them. They are part of the page as text, by hashes that its policy names. */

const loaded = new Map<string, Promise<unknown>>()

export function hasAsset(name: string): boolean {
  return document.getElementById(`asset-${name}`) !== null
}

/** What an asset exports; it runs once. */
export function loadAsset<T>(name: string): Promise<T> {
  const known = loaded.get(name) ?? run(name)
  loaded.set(name, known)
  return known as Promise<T>
}

/** The text of an asset. */
export function assetText(name: string): string {
  const text = document.getElementById(`asset-${name}`)?.textContent
  if (!text) throw new Error(`this page has no asset \`${name}\``)
  return text
}

async function run(name: string): Promise<unknown> {
  const text = assetText(name)
  const script = document.createElement('script')
  script.textContent = text
  document.head.append(script)
  script.remove()
  const { grantwise } = globalThis as { readonly grantwise?: Readonly<Record<string, unknown>> }
  if (!grantwise?.[name]) throw new Error(`the asset \`${name}\` did not start`)
  return grantwise[name]
}
