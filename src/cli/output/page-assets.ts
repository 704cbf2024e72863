import text from '../../../dist/web/assets.json?raw'
import type { Assets } from '../../page/html.ts'

/** What runs in a browser, as `scripts/web.mjs` built it. */
export function pageAssets(): Assets {
  return JSON.parse(text) as Assets
}
