import type { View } from './page.ts'
import { summary } from './summary.ts'

/** Every view, in the order of the navigation. The first is shown where the address names none. */
export const views: readonly View[] = [summary]
