/** Scripts that are run when something first needs them. They are part of the page as text, by hashes that its policy names. */
export class Assets {
  private readonly loaded = new Map<string, Promise<unknown>>()

  has(name: string): boolean {
    return document.getElementById(`asset-${name}`) !== null
  }

  /** The exports of an asset; it runs once. */
  load<T>(name: string): Promise<T> {
    const known = this.loaded.get(name) ?? this.run(name)
    this.loaded.set(name, known)
    return known as Promise<T>
  }

  /** The text of an asset. */
  async text(name: string): Promise<string> {
    const element = document.getElementById(`asset-${name}`)
    const text = element?.textContent
    if (!text) throw new Error(`this page has no asset \`${name}\``)
    return element.getAttribute('type') === 'application/gzip' ? unpacked(text) : text
  }

  private async run(name: string): Promise<unknown> {
    const text = await this.text(name)
    const script = document.createElement('script')
    script.textContent = text
    document.head.append(script)
    script.remove()
    const { grantwise } = globalThis as { readonly grantwise?: Readonly<Record<string, unknown>> }
    if (!grantwise?.[name]) throw new Error(`the asset \`${name}\` did not start`)
    return grantwise[name]
  }
}

/** The text of compressed base64. */
function unpacked(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}
