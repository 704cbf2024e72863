import type { Rule } from '../rule.ts'

export const syntax: Rule = {
  code: 'syntax',
  section: 'document',
  severity: 'error',
  fixes: ['safe'],
  summary: 'A file that is not well-formed JSON or YAML, or that has a duplicate key.',
  why:
    'Nothing is decided over a file that cannot be read, because the missing part may be a deny. JSON must follow the standard (no ' +
    'comments, no trailing commas). YAML is read without anchors, tags and merge keys, which hide what a policy contains. Duplicate ' +
    'keys are errors, because other parsers silently keep the last one, and a `deny` can get lost. In YAML, quote values that start ' +
    'with `*`.',
  reader: true,
}
