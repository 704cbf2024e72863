import type { ExampleNotation, Source } from '../source.ts'
import { plainTreeOf, readPlainTree } from './plain-tree.ts'
import type { Reading } from './reading.ts'
import { readRulesText } from './rules-text.ts'

export type { Reading } from './reading.ts'

/** Whether the name of a file is one of Markdown, which is not searched for policies unless asked to. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path)
}

/** The notation of files that are only read where they are named or asked for, by their names. */
export function exampleNotationOf(path: string): ExampleNotation | undefined {
  if (isMarkdown(path)) return 'markdown'
  if (/\.(?:sh|bash|zsh)$/i.test(path)) return 'shell'
  return pipelineName.test(path) ? 'steps' : undefined
}

/** Names of the files of pipelines: workflows and actions of GitHub, jobs of GitLab. */
const pipelineName =
  /(?:^|[\\/])(?:\.(?:github|gitea|forgejo)[\\/]workflows[\\/][^\\/]+|action|[^\\/]*\.?gitlab-ci|\.?gitlab[\\/](?:[^\\/]+[\\/])*[^\\/]+)\.ya?ml$/i

/** Whether the name of a file is one of a list with an action a line. */
export function isActionLines(path: string): boolean {
  return /\.actions$/i.test(path)
}

/** Text of JSON, YAML or access rules to located tree: `readPlainTree`, with access rules. */
export function readTree(source: Source, readYaml?: (source: Source) => Reading): Reading {
  return source.notation === 'rules' ? readRulesText(source) : readPlainTree(source, readYaml)
}

/** The tree of a text, with the full YAML reader where it needs that. */
export async function treeOf(source: Source): Promise<Reading> {
  return source.notation === 'rules' ? readRulesText(source) : plainTreeOf(source)
}
