import { resourceWord, type Settings } from '../names.ts'
import type { Reading } from '../parser/reading.ts'
import type { Source } from '../source.ts'
import { readConfiguration } from './module.ts'
import { readHcl } from './parse.ts'
import { readingOf } from './read.ts'

/** The reading of a single text of HCL: values from elsewhere are not known, and modules that it calls are not looked for. */
export function readStandalone(source: Source, settings: Settings): Reading {
  const file = readHcl(source, resourceWord(settings))
  const folder = { path: '', name: '.', files: [file], values: [] }
  const configuration = readConfiguration(folder, new Map([['', folder]]), {
    prefix: settings.resourcePrefix ?? settings.brand,
    isModule: true,
  })
  return readingOf(file, [configuration])
}
