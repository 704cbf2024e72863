import text from '../../../dist/web/assets.json?raw'
import type { Assets } from '../../page/html.ts'

/** The scripts and styles for the browser, as `scripts/web.mjs` built them. */
export function pageAssets(): Assets {
  return JSON.parse(text) as Assets
}
