import { resolve } from 'node:path'
import { glob, matches } from '../../glob.ts'
import { visible } from '../../names.ts'
import { nearest, nearestName } from '../../nearest.ts'
import { dotText } from '../../picture/dot.ts'
import { svgFile } from '../../picture/file.ts'
import { clusterIds, foldGraph, onPaths } from '../../picture/fold.ts'
import { type Graph, type GraphNode, graphOf, type NodeKind } from '../../picture/graph.ts'
import { graphSvg } from '../../picture/graph-svg.ts'
import { graphmlText } from '../../picture/graphml.ts'
import { isDrawn, mermaidLimits, mermaidText } from '../../picture/mermaid.ts'
import { shown } from '../../report/safe.ts'
import { firstFew, plural } from '../../report/words.ts'
import type { ShortNames } from '../../simulate/short-names.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { urnOf } from '../input/account.ts'
import { formatByEnding } from '../input/endings.ts'
import { instantOf } from '../input/question.ts'
import { loadWorld } from '../input/world.ts'
import { writingOf } from '../output/writing.ts'

type Format = NonNullable<Options<'graph'>['format']>

const formats: readonly Format[] = ['svg', 'dot', 'mermaid', 'graphml']

const byGraphviz = ['.png', '.pdf', '.jpg', '.gif', '.ps', '.eps', '.webp']

/** How Graphviz makes what `graph` does not write. */
const otherwise = (ending: string) =>
  byGraphviz.includes(ending) ? `with Graphviz: \`grantwise graph | dot -T${ending.slice(1)} > FILE\`` : undefined

/** From how many nodes on a column is shown as clusters, and what is tried where the picture is still too large. */
const mostNodes = 40
const fewer = [30, 20, 12, 8, 5, 3, 1]

/** `graph`: identities, groups, policies and resources, and the arrows between them. */
export const run: Run<'graph'> = async (paths, options, io) => {
  const { output, at: instant } = options
  const writing = writingOf(options, io)
  if (output === undefined || output === '-') writing.refuseIdle('name the file to write: -o FILE')
  const format = options.format ?? formatOf(output) ?? 'dot'
  const shownInstant = instant === undefined ? io.now() : instantOf('--at', instant)
  const loaded = await loadWorld({ ...options, policies: [...paths, ...options.policies] }, io)
  if (!loaded) return exit.error
  const { world } = loaded
  const whole = graphOf(world, { at: shownInstant, names: loaded.names })
  const nodesOnPaths = onPaths(whole, chosen(whole, options, loaded.short))
  if (whole.nodes.length === 0) throw new Refusal('there is nothing to draw: no identity, policy or resource was read', 'name other files')
  if (nodesOnPaths.size === 0) throw new Refusal('no path of the graph passes all that is selected', 'omit one of the options that select')
  const wanted = new Set(options.expand)
  const fold = (most: number) => foldGraph(whole, { most, expanded: wanted, kept: nodesOnPaths })
  let graph = fold(format === 'graphml' ? Number.POSITIVE_INFINITY : mostNodes)
  refuseUnknown(wanted, clusterIds(whole, { most: mostNodes, kept: nodesOnPaths }))
  let text = ''
  if (format === 'graphml') text = graphmlText(graph)
  else if (format === 'svg') text = svgFile(graphSvg(graph, { title: titleOf(world.account, shownInstant), notes: notesOf(graph, format) }))
  else if (format === 'dot') text = dotText(graph, notesOf(graph, format))
  else {
    text = mermaidText(graph, notesOf(graph, format))
    for (const most of fewer) {
      if (isDrawn(graph, text)) break
      graph = fold(most)
      text = mermaidText(graph, notesOf(graph, format))
    }
    if (!isDrawn(graph, text))
      io.stderr.write(
        `grantwise: note: ${plural(graph.edges.length, 'edge')} and ${text.length} characters: Mermaid draws at most ${mermaidLimits.edges} and ${mermaidLimits.text} unless it is configured otherwise\n`,
      )
  }
  if (output === undefined || output === '-') io.stdout.write(text)
  else {
    const file = resolve(io.cwd, output)
    await writing.write(file, text)
    if (!writing.isDry) io.stderr.write(`grantwise: wrote ${shown(displayPath(file, io.cwd))}\n`)
  }
  return writing.exitCode(exit.success)
}

/** The format of a file by its ending. */
const formatOf = (output = '') => formatByEnding(output, 'graph', formats, otherwise) as Format | undefined

function titleOf(account: string | undefined, at: number): string {
  return `Access${account === undefined ? '' : ` in ${account}`} on ${new Date(at).toISOString().slice(0, 10)}`
}

/** A sentence about the nodes that are merged in clusters. */
function notesOf({ nodes }: Graph, format: Format): readonly string[] {
  const clusters = nodes.filter(({ members }) => members)
  if (clusters.length === 0) return []
  const count = clusters.reduce((sum, { members }) => sum + (members?.length ?? 0), 0)
  const name = format === 'svg' ? 'NAME' : (clusters[0] as GraphNode).label
  return [
    `${clusters.length} of ${nodes.length} boxes stand for ${count} names: --expand "${name}" shows those of one, --expand all shows all.`,
  ]
}

function refuseUnknown(wanted: ReadonlySet<string>, ids: readonly string[]): void {
  for (const id of wanted) {
    if (id === 'all' || ids.includes(id)) continue
    const suggested = nearest(id, ids)
    const help =
      ids.length === 0
        ? 'nothing is shown as a cluster'
        : suggested
          ? `did you mean \`${visible(suggested)}\`?`
          : `clusters: ${firstFew(ids.map(visible))}`
    throw new Refusal(`--expand \`${visible(id)}\`: no cluster has this name`, help)
  }
}

const tailOf = (name: string) => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1)

const kindsOf: Readonly<Record<'identity' | 'resource', readonly NodeKind[]>> = {
  identity: ['identity', 'group', 'identityPattern'],
  resource: ['resource', 'resourceGroup', 'resourcePattern'],
}

/** For each option that selects, the places of what it selects. Throws a refusal where that is nothing. */
function chosen({ nodes }: Graph, options: Options<'graph'>, names: ShortNames): readonly ReadonlySet<number>[] {
  const places = (option: string, text: string, fits: (node: GraphNode) => boolean, kinds: readonly NodeKind[]): readonly number[] => {
    const matching = [...nodes.keys()].filter((place) => fits(nodes[place] as GraphNode))
    if (matching.length > 0) return matching
    const labels = nodes.flatMap(({ kind, label, type }) => (kinds.includes(kind) ? [option === '--type' ? type : label] : []))
    // Of a URN what differs is compared: whole ones share most of their letters.
    const tails = new Map(labels.filter((label) => !label.includes('*')).map((label) => [tailOf(label), label]))
    const suggestion = text.startsWith('urn:')
      ? (tails.get(tailOf(text)) ?? tails.get(nearest(tailOf(text), tails.keys()) ?? ''))
      : nearestName(text, labels)
    throw new Refusal(`${option} \`${visible(text)}\`: nothing in the graph fits`, suggestion && `did you mean \`${suggestion}\`?`)
  }
  const named = (kind: 'identity' | 'resource') =>
    options[kind].flatMap((text) => {
      const urn = urnOf(names[kind](text))
      const pattern = glob(urn)
      const fits = (node: GraphNode) => kindsOf[kind].includes(node.kind) && (node.id === urn || matches(pattern, node.id))
      return places(`--${kind}`, text, fits, kindsOf[kind])
    })
  const policies = options.policy.flatMap((name) =>
    places('--policy', name, ({ kind, label }) => kind === 'policy' && label === shown(name), ['policy']),
  )
  const types = options.type.flatMap((type) =>
    places('--type', type, (node) => node.kind === 'resource' && node.type === type, ['resource']),
  )
  return [named('identity'), policies, named('resource'), types].filter((list) => list.length > 0).map((list) => new Set(list))
}
