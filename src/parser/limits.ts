/**
 * The most that is read. Past a limit a file is refused whole, with a located message (docs/sources.md, Limits). Lengths are
 * UTF-16 units.
 */
export const limits = {
  /** Lists and maps inside one another. */
  depth: 64,
  jsonLength: 8 * 1024 * 1024,
  /** For what the plain reader hands on to the full YAML reader. */
  yamlLength: 1024 * 1024,
  plainYamlLength: 8 * 1024 * 1024,
  /** An honest YAML file of 1 MiB has 217,000 in block style, 430,000 in flow style. */
  yamlTokens: 500_000,
  yamlDocuments: 10_000,
  /** Problems reported for one file; past that, reading it stops. */
  problems: 100,
} as const
