import { readActionPattern } from '../../actions/action.ts'
import { expandPatterns } from '../../actions/expand.ts'
import { matches } from '../../glob.ts'
import { printableFault } from '../../names.ts'
import { json, shown } from '../../report/safe.ts'
import { unknownNames } from '../../report/unknown-names.ts'
import { exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { catalogueFor } from '../input/known.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** `expand PATTERN…`: the catalogue actions that patterns designate. */
export const run: Answer<'expand'> = async (texts, options, io, loader = fromFiles) => {
  const { format } = options
  const config = await loader.config(options, io)
  const { settings } = config
  const from = options.from
  if (texts.length === 0 && from === undefined) throw new Refusal('no action pattern given: give one, or use `--from FILE`')
  const list = from === undefined ? undefined : await (await import('../input/action-lists.ts')).actionsFrom(from, settings, io)
  const asked = texts.map((text) => {
    const { value, faults } = readActionPattern(text, settings.brand)
    if (value) return value
    const { message, help } = printableFault(text, faults[0] as (typeof faults)[number])
    throw new Refusal(message, help)
  })
  const catalogue = await catalogueFor(config, io)
  // A list does not designate its own exceptions and denials.
  const taken = list ? [...list.except, ...list.deny].map(({ value }) => value) : []
  const isTaken = (action: string) => taken.some((pattern) => matches(pattern, action))
  for (const { text } of asked)
    for (const note of unknownNames({ action: text }, { catalogue, brand: config.settings.brand }))
      io.stderr.write(`grantwise: note: ${shown(note)}\n`)
  const patterns = [...asked, ...(list ? list.allow.map(({ value }) => value) : [])]
  const expansions = [
    ...expandPatterns(asked, catalogue),
    ...expandPatterns(patterns.slice(asked.length), {
      expand: (pattern) => catalogue.expand(pattern).filter((action) => !isTaken(action)),
    }),
  ]
  if (format === 'json') {
    const expand = expansions.map(({ pattern, count, byProduct }) => ({
      pattern,
      count,
      actions: byProduct.flatMap(({ actions }) => actions),
    }))
    io.stdout.write(`${json({ expand, catalogue: { seen: catalogue.seen, actions: catalogue.size } })}\n`)
  } else if (format === 'compact') {
    io.stdout.write(
      expansions.flatMap(({ byProduct }) => byProduct.flatMap(({ actions }) => actions.map((action) => `${action}\n`))).join(''),
    )
  } else {
    const colours = coloursOf(options, io)
    for (const { pattern, count, byProduct } of expansions) {
      io.stdout.write(`${colours.bold(shown(pattern))}  ${count} ${count === 1 ? 'action' : 'actions'}\n`)
      for (const { product, actions } of byProduct) {
        io.stdout.write(`  ${colours.info(product)} (${actions.length})\n${actions.map((action) => `    ${action}\n`).join('')}`)
      }
    }
    io.stdout.write(`${colours.dim(`catalogue of ${catalogue.seen}, ${catalogue.size} actions: the live service may have more`)}\n`)
  }
  return exit.success
}
