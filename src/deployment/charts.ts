import { folderOf, nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { type ChangedFile, type Fact, fact, type Policies, type Repository } from './facts.ts'
import { isManifestFile } from './kinds.ts'
import { writtenValue } from './written.ts'

/** Facts of Helm charts that contain policies, or that hold what applies others: which of their files are applied. */
export async function chartFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text, policies, repository } = file
  if (!policies.inManifests || !/^(?:Chart\.(?:ya?ml|lock)|requirements\.(?:ya?ml|lock)|\.helmignore|values[\w.-]*\.ya?ml)$/.test(name))
    return []
  const folders = name.startsWith('Chart.') ? [folderOf(path), ...chartsAbove(path, repository)] : chartsAbove(path, repository)
  const isBelow = (folder: string, each: string) => each.startsWith(folder === '' ? '' : `${folder}/`)
  const chart = folders.find((folder) => policies.files.some((each) => isBelow(folder, each)) || appliesOthers(folder, repository))
  if (chart === undefined) return []
  if (!/^values/.test(name)) return [fact(file, 'it says which files of the chart are applied', path, await chartText(path, text))]
  if (!hasDependencies(path, repository) && !appliesOthers(chart, repository) && !isTemplated(chart, policies, repository)) return []
  return [fact(file, 'its values can switch parts of the chart on and off', path, text)]
}

/** Facts of files that templates of a chart may read: their names may be computed. */
export function chartFileFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies, repository } = file
  if (!policies.inManifests) return []
  const [chart] = chartsAbove(path, repository)
  if (chart === undefined || /^(?:templates|charts|crds)\/|^(?:Chart|values)\b/.test(path.slice(chart === '' ? 0 : chart.length + 1)))
    return []
  const reading = repository.once(chartFileFacts, () =>
    repository.texts(isOfTemplates).flatMap((each) => (/\.Files\b/.test(each.text) ? (chartsAbove(each.path, repository)[0] ?? []) : [])),
  )
  return reading.includes(chart) ? [fact(file, 'a template of its chart may read it', path, text)] : []
}

const isOfTemplates = (path: string): boolean => /(?:^|\/)templates\//.test(path)

/** Metadata of a chart without effect on what it applies. */
const about: ReadonlySet<string> = new Set(
  'version appVersion description keywords home sources maintainers icon annotations deprecated'.split(' '),
)

async function chartText(path: string, text: string): Promise<string> {
  const { documents } = await treeOf(sourceOf(path, text, 'yaml'))
  const value = documents[0] && writtenValue(documents[0])
  if (!/\.ya?ml$/.test(path) || typeof value !== 'object' || value === null) return text
  return JSON.stringify(Object.entries(value).filter(([key]) => !about.has(key)))
}

/** Whether the templates of a chart hold what applies other folders. */
function appliesOthers(folder: string, repository: Repository): boolean {
  const all = repository.once(appliesOthers, () =>
    repository.texts(isManifestFile).filter(({ text }) => /argoproj\.io\/v1alpha1|toolkit\.fluxcd\.io|cattle\.io/.test(text)),
  )
  return all.some(({ path }) => path.startsWith(folder === '' ? 'templates/' : `${folder}/templates/`))
}

/** Whether a policy of a chart, or what else is in its file, has gaps that values fill. */
function isTemplated(folder: string, { files }: Policies, repository: Repository): boolean {
  return files.some((each) => each.startsWith(folder === '' ? '' : `${folder}/`) && /\{\{|#@/.test(repository.text(each) ?? ''))
}

/** Facts of policies in parts of a chart that Helm does not apply. */
export function chartPlaceFacts(policies: Policies, repository: Repository): readonly Fact[] {
  if (!policies.inManifests) return []
  const there = new Set(repository.paths)
  return policies.files.flatMap((path) => {
    if (!there.has(path)) return []
    const [chart] = chartsAbove(path, repository)
    if (chart === undefined) return []
    const inside = path.slice(chart.length === 0 ? 0 : chart.length + 1)
    if (/^(?:templates|crds)\//.test(inside) && !nameIn(path).startsWith('_')) return []
    return [fact({ path }, 'it is in a part of the chart that Helm does not apply', path)]
  })
}

/** The folders of the charts that contain a file, the nearest first. */
function chartsAbove(path: string, { charts }: Repository): readonly string[] {
  const chartFolders: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (charts.has(folder)) chartFolders.push(folder)
    if (folder === '') return chartFolders
  }
}

function hasDependencies(path: string, repository: Repository): boolean {
  return chartsAbove(path, repository).some((folder) => {
    const inside = folder === '' ? '' : `${folder}/`
    return ['Chart.yaml', 'Chart.yml', 'requirements.yaml'].some((name) => /dependencies:/.test(repository.text(`${inside}${name}`) ?? ''))
  })
}
