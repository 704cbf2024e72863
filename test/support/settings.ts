import { defaultSettings, type Settings } from '../../src/names.ts'
import { Zones } from '../../src/zones.ts'

/** The settings of the tests, with zones that are made once, as a run of the program makes them. */
export const testSettings: Settings = { ...defaultSettings, zones: new Zones() }
