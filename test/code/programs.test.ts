import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { routesOf } from '../../src/calls/match.ts'
import { codeLanguageOf } from '../../src/code/languages.ts'
import { Operations } from '../../src/code/lookup.ts'
import { needsOfCode } from '../../src/code/needs.ts'
import { readCode } from '../../src/code/read.ts'
import { position, type Span, sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'

const routes = routesOf(loadOperations())
const catalogue = loadCatalogue()
const operations = new Operations(routes, catalogue)
const about = { identity: 'urn:v1:eu:identity:user:ab12-svc/ann', context: { at: 0, groups: [] }, resources: [], actions: [] }

testCases(new URL('programs.cases', import.meta.url), (text, { path = '' }) => {
  const language = codeLanguageOf(path)
  if (!language) throw new Error(`no language of ${path}`)
  const reading = readCode([{ source: sourceOf(path, `${text}\n`, 'json'), language }], operations, 'svc')
  const { uses, gaps } = needsOfCode(reading.calls, routes, catalogue, about)
  const line = ({ source, start }: Span) => position(source, start).line
  const lines = [
    ...uses.map(({ call, operation }) => ({ at: line(call.at), text: operation })),
    ...[...reading.gaps, ...gaps].map(({ at, shown, why, help }) => ({
      at: line(at),
      text: `not known: ${shown}: ${why}${help === undefined ? '' : `: ${help}`}`,
    })),
    ...reading.others.map(({ at, shown }) => ({ at: line(at), text: `not counted: ${shown}` })),
  ]
  return lines.sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1)).map(({ at, text }) => `${at} ${text}`)
})
