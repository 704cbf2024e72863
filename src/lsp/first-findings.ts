import { applyConfigurations } from '../lint/apply-config.ts'
import { lintSingleFile } from '../lint/single-file.ts'
import { defaultDocs } from '../report/words.ts'
import type { Notation } from '../source.ts'
import { type FileReport, folderText, rootOf, type TextGiven } from './analysis.ts'
import { foundOf } from './findings.ts'
import type { Host, Texts } from './host.ts'
import type { Encoding } from './positions.ts'
import { collecting, FolderReader } from './reader.ts'
import type { EditorSettings } from './settings.ts'

/** Notations of which a file has its meaning by itself. */
const single: ReadonlySet<Notation> = new Set(['json', 'yaml'])

/** The findings in open files that do not depend on other files: at hand before their folders are read. */
export class FirstFindings {
  private readonly host: Host
  private readonly textAt: Texts

  constructor(host: Host, textAt: Texts) {
    this.host = host
    this.textAt = textAt
  }

  /** Undefined where nothing is certain before the folder is read. */
  async of(openText: TextGiven, folders: ReadonlyMap<string, EditorSettings>, encoding: Encoding): Promise<FileReport | undefined> {
    const root = rootOf(openText, [...folders.keys()], this.host)
    const settings = folders.get(root)
    const { uri, file } = openText
    if (!settings || file === undefined) return undefined
    const reader = new FolderReader(this.host.folder(root, this.textAt))
    const { host } = reader
    const source = host.kindOf(file) === undefined ? reader.sourceOf(folderText(openText, host.nameOf)) : undefined
    if (!source || !single.has(source.notation)) return undefined
    const orUnusable = collecting([], this.host)
    return orUnusable(async () => {
      const configs = await host.openConfigs(settings)
      const { main } = configs
      const files = await reader.read([{ source, file: host.portable(file), isNamed: false }], main.settings)
      await configs.load(files.files)
      host.checkConfigs(configs.all())
      const applied = await applyConfigurations(configs, files.files, {
        cwd: host.folders.cwd,
        given: host.levels(settings, configs.all()),
      })
      const findings = lintSingleFile({
        files,
        settings: main.settings,
        catalogue: await host.catalogue(main),
        now: this.host.now(),
        profileOf: applied.profileOf,
        ignores: applied.ignores,
        suppressions: settings.suppressions,
        baseline: settings.baseline === undefined ? undefined : host.baseline(settings.baseline),
      })
      const showing = { encoding, uriOf: () => uri, docs: main.docs ?? defaultDocs }
      return { uri, found: findings.map((finding) => foundOf(finding, showing)), unread: [], config: undefined }
    }, undefined)
  }
}
