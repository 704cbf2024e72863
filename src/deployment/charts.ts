import { folderOf, nameIn } from '../hcl/paths.ts'
import type { ChangedFile, Fact, Policies, Repository } from './facts.ts'

/** Facts of charts of Helm that policies lie in: which of their files are applied. */
export function chartFacts(file: ChangedFile): readonly Fact[] {
  const { path, name, text, policies, repository } = file
  if (!policies.inManifests) return []
  const chart = chartsAbove(path, repository).find((folder) => policies.files.some((each) => each.startsWith(`${folder}/`)))
  if (chart === undefined && !(name === 'Chart.yaml' && policies.files.some((each) => each.startsWith(`${folderOf(path)}/`)))) return []
  if (/^(?:Chart\.ya?ml|Chart\.lock|requirements\.(?:ya?ml|lock)|\.helmignore)$/.test(name))
    return [{ path, why: 'it says which files of the chart are applied', mark: `${path} ${text}` }]
  if (/^values[\w.-]*\.ya?ml$/.test(name) && hasDependencies(path, repository))
    return [{ path, why: 'its values can switch charts on and off that the chart depends on', mark: `${path} ${text}` }]
  return []
}

/** Facts of policies in a chart that lie where Helm does not apply them. */
export function chartPlaceFacts(policies: Policies, repository: Repository): readonly Fact[] {
  if (!policies.inManifests) return []
  const there = new Set(repository.paths)
  return policies.files.flatMap((path) => {
    if (!there.has(path)) return []
    const [chart] = chartsAbove(path, repository)
    if (chart === undefined) return []
    const inside = path.slice(chart.length === 0 ? 0 : chart.length + 1)
    if (/^(?:templates|crds)\//.test(inside) && !nameIn(path).startsWith('_')) return []
    return [{ path, why: 'it lies in a chart where Helm applies no file', mark: path }]
  })
}

/** The folders of charts that a file lies in, the nearest first. */
function chartsAbove(path: string, { charts }: Repository): readonly string[] {
  const found: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (charts.has(folder)) found.push(folder)
    if (folder === '') return found
  }
}

function hasDependencies(path: string, repository: Repository): boolean {
  return chartsAbove(path, repository).some((folder) => {
    const inside = folder === '' ? '' : `${folder}/`
    return ['Chart.yaml', 'Chart.yml', 'requirements.yaml'].some((name) => /dependencies:/.test(repository.text(`${inside}${name}`) ?? ''))
  })
}
