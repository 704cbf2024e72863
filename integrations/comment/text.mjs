/** Texts of the comment on a change. They are made of the Markdown that `diff` and `lint` write, in which names are escaped. */

/** A server refuses a comment of more than 65,536 characters. */
export const mostCharacters = 65_000

/** The line that a comment is found again by. `key` distinguishes several comments on one change. */
export function markerOf(key) {
  // Nothing in it may end the HTML comment.
  return `<!-- grantwise comment${key === '' ? '' : ` ${key.replace(/[^A-Za-z0-9._/ ]/g, '_')}`} -->`
}

/**
 * The comment: the verdict as its title, new access first, then lost access, findings and links.
 *
 * `diff` and `lint`: Markdown of the reports; undefined where the command was not asked for, '' where it gave no answer.
 * `links`: `[text, address]`, without those that are not addresses of the web.
 */
export function commentText({ marker, diff, lint, links }, most = mostCharacters) {
  const access = diff === undefined ? undefined : accessOf(withoutReferences(diff))
  const findings = lint === undefined ? undefined : findingsOf(withoutReferences(lint))
  const title = [access?.title, findings?.title].filter((each) => each !== undefined).join('; ')
  const foot = links.filter(([, address]) => isAddress(address)).map(([text, address]) => `[${text}](${addressText(address)})`)
  const blocks = [
    { always: `${marker}\n## grantwise: ${title}` },
    ...(access?.blocks ?? []),
    ...(findings ? [{ always: '### Findings' }, ...findings.blocks] : []),
  ]
  return fitted(blocks, foot.join(' · '), most)
}

/** Whether there is nothing that a reviewer needs to know. */
export function isQuiet({ diff, lint }) {
  // What is the same only under an assumption, or only in the policies, a reviewer needs to know.
  const isSame = diff === undefined || (accessOf(diff).title.startsWith('the same access: proved') && !/^### /m.test(diff))
  return isSame && (lint === undefined || findingsOf(lint).title === nothing)
}

const nothing = 'no findings'

/**
 * Servers look for references to people and issues in the text as it is shown, in which a character that is written as its
 * number is that character. A blank without width after it leaves none; code is not looked at.
 */
function withoutReferences(markdown) {
  return markdown.replace(/&#(?:33|35|64);/g, '$&&#8203;')
}

const noAnswer = (what) => ({ title: `no answer from ${what}`, blocks: [{ always: 'The log of the job says why.' }] })

/** The parts of a report of `diff`: the notes before it, its verdict, and what follows. */
function accessOf(markdown) {
  const [notes = '', rest] = markdown.split(/^## grantwise diff\n+/m)
  if (rest === undefined) return noAnswer('`diff`')
  const end = rest.indexOf('\n')
  const verdict = rest.slice(0, end < 0 ? undefined : end)
  return { title: verdict, blocks: [...blocksOf(notes), ...blocksOf(end < 0 ? '' : rest.slice(end))] }
}

/** The parts of a report of `lint`. The findings of each file are folded away. */
function findingsOf(markdown) {
  const [, title, rest = ''] = /^## grantwise: (.*)\n([\s\S]*)$/.exec(markdown) ?? []
  if (title === undefined) return noAnswer('`lint`')
  return { title: title === 'no problems' ? nothing : title, blocks: blocksOf(rest.replaceAll('<details open>', '<details>')) }
}

/** Paragraphs, tables and folded parts, each a block. Text of users never starts a line, so none of it looks like one. */
function blocksOf(markdown) {
  const parts = markdown.match(/^<details[\s\S]*?^<\/details>$|^(?!<details).+(?:\n(?!<details).+)*/gm) ?? []
  return parts.map((text) => {
    if (text.startsWith('<details')) return { detail: text }
    const lines = text.split('\n')
    return lines[0].startsWith('|') ? { head: lines.slice(0, 2), rows: lines.slice(2) } : { always: text }
  })
}

/** The blocks with as much as there is room for: folded parts are left out first, the last before the first, then rows. */
function fitted(blocks, foot, most) {
  const details = blocks.filter((block) => block.detail !== undefined).length
  const rows = Math.max(0, ...blocks.map((block) => block.rows?.length ?? 0))
  const text = (upTo) => written(blocks, foot, upTo)
  const fits = (upTo) => text(upTo).length <= most
  const room = greatest(details, (count) => fits({ details: count, rows }))
  if (room !== undefined) return text({ details: room, rows })
  const rowsWithRoom = greatest(rows, (count) => fits({ details: 0, rows: count })) ?? 0
  return text({ details: 0, rows: rowsWithRoom }).slice(0, most)
}

/** The greatest number up to another for which something holds, which holds for all that are smaller. */
function greatest(most, holds) {
  if (!holds(0)) return undefined
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function written(blocks, foot, upTo) {
  let details = 0
  let left = 0
  const parts = blocks.flatMap((block) => {
    if (block.always !== undefined) return [block.always]
    if (block.detail !== undefined) {
      details++
      if (details <= upTo.details) return [block.detail]
      left++
      return []
    }
    left += Math.max(0, block.rows.length - upTo.rows)
    return [[...block.head, ...block.rows.slice(0, upTo.rows)].join('\n')]
  })
  const omitted =
    left === 0 ? [] : [`${left} ${left === 1 ? 'part is' : 'parts are'} left out for brevity: the summary or log of the job has all.`]
  return `${[...parts, ...omitted, ...(foot === '' ? [] : [foot])].join('\n\n')}\n`
}

function isAddress(text) {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** An address that ends no link of Markdown. */
function addressText(text) {
  return new URL(text).href.replace(/[()<>\\[\]]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
