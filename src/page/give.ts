import type { LintRun } from '../lint/lint-files.ts'
import type { Profile } from '../lint/profile.ts'
import type { Settings } from '../names.ts'
import { rules } from '../rules/index.ts'
import { isExampleNotation, isHcl } from '../source.ts'
import type { FileRead } from '../sources/files.ts'
import type { EngineInput, GivenProfile } from './given.ts'
import { pack } from './pack.ts'

/** The sources and settings that a page may be given. */
export interface GivenSources extends Required<Pick<LintRun, 'profileOf' | 'ignores'>> {
  readonly each: readonly FileRead[]
  readonly settings: Settings
  readonly now: number
  /** The text of the catalogue that the configuration names. */
  readonly catalogue?: string | undefined
  /** Where a file is in its repository, with `/`. */
  readonly placeOf?: (file: FileRead) => string | undefined
}

/** The input of the engine of a page, from files that were read. */
export function givenOf({ each, settings, now, profileOf, ignores, catalogue, placeOf = () => undefined }: GivenSources): EngineInput {
  const numbers = new Map<Profile, number>()
  const profiles: GivenProfile[] = []
  const numberOf = (profile: Profile) => {
    const existing = numbers.get(profile)
    if (existing !== undefined) return existing
    numbers.set(profile, profiles.length)
    const { levels, options, named = [] } = profile
    return profiles.push({ levels: [...levels], options: [...options], named: [...named] }) - 1
  }
  const { brand, regions, resourcePrefix, headerPrefix, formatIn } = settings
  const paths = each.map(({ source }) => source.path)
  return {
    settings: {
      brand,
      regions,
      ...(resourcePrefix !== undefined && { resourcePrefix }),
      ...(headerPrefix !== undefined && { headerPrefix }),
      ...(formatIn !== undefined && { formatIn }),
    },
    now,
    sources: each.map((file) => {
      const { path, text, notation } = file.source
      const place = placeOf(file)
      const why = whyReadOnly(file)
      return {
        path,
        text,
        notation,
        profile: numberOf(profileOf(path)),
        ...(place !== undefined && { place }),
        ...(why !== undefined && { read: { packed: pack(withoutFunctions(file.read)), why } }),
      }
    }),
    profiles,
    ignores: ignores.map(({ isAbout, isJudged, ...entry }) => ({
      packed: pack(entry),
      about: paths.filter(isAbout),
      judged: rules.flatMap(({ code }) => (isJudged(code) ? [code] : [])),
    })),
    ...(catalogue !== undefined && { catalogue }),
  }
}

/** Why a file is shown and not edited; undefined where it can be. */
function whyReadOnly({ source: { notation }, read }: FileRead): string | undefined {
  if (isHcl(notation)) return 'it is a Terraform configuration, which is read with the other files of its folder'
  if (notation === 'markdown') return 'its policies are examples in a document'
  if (isExampleNotation(notation)) return 'its policies are in commands of a script'
  if (read.kind === 'declared') return 'a tool describes these policies: edit what the tool reads'
  if (read.kind !== 'policies' || !(notation === 'json' || notation === 'yaml')) return 'it holds no policies in JSON or YAML'
  return undefined
}

/** The part of a file's reading that questions need: assignments of unknown values matter to lint rules only. */
const withoutFunctions = ({ open: _, ...read }: FileRead['read'] & { readonly uncreated?: unknown; readonly configurations?: unknown }) => {
  const { uncreated: _uncreated, configurations: _configurations, ...rest } = read
  return rest
}
