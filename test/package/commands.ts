import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wordsOf } from '../support/scenario.ts'
import { root } from './run.ts'

/** The commands in the page of an example that need no shell. */
function commandsOf(page: string): readonly (readonly string[])[] {
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, body = '']) => body.replaceAll(/\\\n\s*/g, ''))
  const lines = blocks.flatMap((body) => [...body.matchAll(/^\$ grantwise (.*)$/gm)].map(([, line = '']) => line))
  return lines.filter((line) => !/[|;&<>$`*]/.test(line)).map(wordsOf)
}

export const examples = join(root, 'examples')
export const fromPages = readdirSync(examples).flatMap((folder) =>
  readdirSync(join(examples, folder)).includes('README.md')
    ? commandsOf(readFileSync(join(examples, folder, 'README.md'), 'utf8')).map((args) => ({ folder, args }))
    : [],
)
export const quickstart = fromPages.filter(({ folder }) => folder === 'quickstart')
