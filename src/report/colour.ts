/** The only escape sequences that are ever written. Without colour each is the text itself. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'error' | 'warning' | 'info' | 'good', (text: string) => string>>

const codes: Readonly<Record<keyof Paint, string>> = { bold: '1', dim: '2', error: '1;31', warning: '1;33', info: '1;36', good: '1;32' }

export function paint(inColour: boolean): Paint {
  const entries = Object.entries(codes).map(([name, code]) => [
    name,
    (text: string) => (inColour && text ? `\u001b[${code}m${text}\u001b[0m` : text),
  ])
  return Object.fromEntries(entries) as unknown as Paint
}
