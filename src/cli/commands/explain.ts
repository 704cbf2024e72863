import type { Run } from '../app/commands.ts'
import { run as rules } from './rules.ts'

/** `explain [CODE]`: as `rules`, under the name that other linters have for it. */
export const run: Run<'explain'> = (args, options, io) => rules(args, options, io)
