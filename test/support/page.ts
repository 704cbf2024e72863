import { loadCatalogue } from '../../src/actions/load.ts'
import { defaultSettings } from '../../src/names.ts'
import { type PageInput, pageData } from '../../src/page/build.ts'
import type { PageData } from '../../src/page/data.ts'
import { jsonText } from '../../src/page/html.ts'
import type { World } from '../../src/policy.ts'
import type { ActionsByType } from '../../src/symbolic/described.ts'
import { always } from '../../src/symbolic/formula.ts'
import { Windows } from '../../src/symbolic/windows.ts'

const catalogue = loadCatalogue()

/** The data of the page over a world, as the browser reads it. */
export function pageOf(
  world: World,
  actions: ActionsByType,
  reads: ReadonlySet<string> = new Set(),
  before?: PageInput['before'],
  history?: PageInput['history'],
): PageData {
  const data = pageData({
    world,
    sources: [],
    findings: [],
    suppressed: 0,
    rules: [],
    catalogue,
    actions,
    reads,
    times: { at: undefined, from: Date.UTC(2020, 0), time: always, windows: new Windows() },
    given: {},
    settings: defaultSettings,
    title: 'test',
    version: '0.0.0',
    docs: 'https://docs.example',
    ...(before && { before }),
    ...(history && { history }),
  })
  return JSON.parse(jsonText(data)) as PageData
}
