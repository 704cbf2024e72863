import { mkdirSync, writeFileSync } from 'node:fs'

/** The claims, wanted and reached figures of a run, and how it can be had again. */
export interface Figures {
  readonly claim: string
  readonly wanted: Readonly<Record<string, unknown>>
  readonly reached: Readonly<Record<string, unknown>>
  readonly seed: number | string
  readonly command: string
}

/** Write `figures/NAME.json`, with the day of the run. */
export function writeFigures(name: string, figures: Figures): void {
  const folder = new URL('../../figures/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const dated = { ...figures, at: new Date().toISOString().slice(0, 10) }
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(dated, null, 2)}\n`)
}

/** Median and 95th percentile of times in milliseconds, to a hundredth. */
export function spread(times: readonly number[]): { readonly median: number; readonly p95: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] as number) * 100) / 100
  return { median: at(0.5), p95: at(0.95) }
}
