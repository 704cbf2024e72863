import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import { defaultSettings } from '../../src/names.ts'
import type { EngineInput } from '../../src/page/given.ts'
import { notationOf } from '../../src/source.ts'
import type { Engine } from '../../src/web/engine/index.ts'
import type { QuestionJson } from './worlds.ts'

/** A script of the pages as it is built. */
export const asset = (name: string) => readFileSync(new URL(`../../dist/web/${name}.js`, import.meta.url), 'utf8')

/** The input of the engine for files without a configuration. */
export function givenOfTexts(texts: Readonly<Record<string, string>>, now: number): EngineInput {
  return {
    settings: defaultSettings,
    now,
    sources: Object.entries(texts).map(([path, text]) => ({ path, text, notation: notationOf(path) ?? 'json', profile: 0 })),
    profiles: [],
    ignores: [],
  }
}

/** The engine as it is built for browsers, where nothing of Node is. */
export function engineOver(given: EngineInput): Engine {
  const grantwise: Record<string, unknown> = {}
  const context = createContext({ grantwise, TextEncoder, TextDecoder, structuredClone, JSON })
  for (const name of ['catalogue', 'engine', 'more'])
    new Script(`var grantwise = globalThis.grantwise;\n${asset(name)}`, { filename: `${name}.js` }).runInContext(context)
  grantwise.load = async (name: string) => grantwise[name]
  const { open } = grantwise.engine as typeof import('../../src/web/engine/index.ts')
  return asFromWorker(open(given))
}

/** An engine whose answers are handed on as those of a worker are: they have to be data. */
function asFromWorker(engine: Engine): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        const result: unknown = await member.apply(target, args)
        return result === undefined ? undefined : structuredClone(result)
      }
    },
  })
}

/** The circumstances of a question as options. */
export function circumstancesOf({ groups = [], ip, tags = {}, at }: QuestionJson) {
  return { group: groups, ...(ip !== undefined && { ip }), tag: Object.entries(tags).map(([key, value]) => `${key}=${value}`), at }
}
