import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export interface EditorOptions {
  readonly onChange: (text: string) => void
  /** The names that Ctrl+Space offers. */
  readonly names: () => readonly string[]
}

/** One text at a time. */
export interface Editor {
  readonly show: (text: string, options: { readonly label: string; readonly isYaml: boolean; readonly isReadOnly: boolean }) => void
  /** Put another text in the place of what is there, as a step that can be undone. */
  readonly replace: (text: string) => void
  readonly mark: (findings: readonly EditorFinding[]) => void
  readonly goTo: (offset: number) => void
  readonly destroy: () => void
}

export interface EditorFinding {
  readonly start: number
  readonly end: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
}

/**
 * An editor within an element. It is in its own shadow root: its styles are then sheets that scripts make, which the policy of
 * the page allows. Tab moves to the next element, as everywhere in the page.
 */
export function create(place: HTMLElement, { onChange, names }: EditorOptions): Editor {
  const root = place.attachShadow({ mode: 'open' })
  let isQuiet = false
  const view = new EditorView({ parent: root as unknown as Element, root })
  const extensions = (label: string, isYaml: boolean, isReadOnly: boolean) => [
    lineNumbers(),
    highlightSpecialChars({ addSpecialChars: invisible }),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    // Only when it is asked for: Enter and Tab are for the text and the page.
    autocompletion({ activateOnTyping: false, override: [namesFrom(names)], icons: false, interactionDelay: 0 }),
    isYaml ? yaml() : json(),
    syntaxHighlighting(colours),
    look,
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': label,
      'aria-multiline': 'true',
      ...(isReadOnly && { 'aria-readonly': 'true' }),
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !isQuiet) onChange(textOf(update.state))
    }),
  ]
  let ending = '\n'
  const textOf = ({ doc }: EditorState) => doc.toString().replaceAll('\n', ending)
  /** The place of an offset of the text: in the document every line ends in one character. */
  const editorOffset = (offset: number) => {
    const { doc } = view.state
    if (ending === '\n') return Math.min(doc.length, offset)
    let line = 1
    let start = 0
    while (line < doc.lines && start + doc.line(line).length + 2 <= offset) start += doc.line(line++).length + 2
    return Math.min(doc.length, doc.line(line).from + offset - start)
  }
  return {
    show(text, { label, isYaml, isReadOnly }) {
      // Where lines end in different ways, a carriage return stays a character of its line.
      const isMixed = /\r(?!\n)|(?:^|[^\r])\n/.test(text)
      ending = text.includes('\r\n') && !isMixed ? '\r\n' : '\n'
      const ownExtensions = [...extensions(label, isYaml, isReadOnly), isMixed ? EditorState.lineSeparator.of('\n') : []]
      isQuiet = true
      view.setState(EditorState.create({ doc: text, extensions: ownExtensions }))
      isQuiet = false
    },
    replace(text) {
      isQuiet = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) } })
      isQuiet = false
    },
    mark(findings) {
      const diagnostics = findings.map(
        ({ start, end, severity, message }): Diagnostic => ({
          from: editorOffset(start),
          to: Math.max(editorOffset(start), editorOffset(end)),
          severity,
          message,
        }),
      )
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    goTo(offset) {
      const position = editorOffset(offset)
      view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

/** Names that go on as the word before the cursor begins, or that hold it. */
function namesFrom(names: () => readonly string[]) {
  return (context: CompletionContext) => {
    const word = context.matchBefore(/[^\s"',[\]{}]*/)
    const text = (word?.text ?? '').toLowerCase()
    const matching = names().filter((name) => name.toLowerCase().includes(text))
    const starting = matching.filter((name) => name.toLowerCase().startsWith(text))
    const options = [...new Set([...starting, ...matching])].slice(0, mostNames).map((label) => ({ label }))
    return options.length === 0 ? null : { from: word?.from ?? context.pos, options, filter: false }
  }
}

/** So many names are offered. */
const mostNames = 200

/** Direction-changing and invisible characters, in addition to those that the editor shows itself. */
const invisible = /\p{Cf}|[\u115f\u1160\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164]/gu

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.content], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
])

const look = EditorView.theme({
  '&': { fontSize: '0.875rem', backgroundColor: 'var(--paper)', color: 'var(--ink)', height: '100%' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '-3px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent', boxShadow: 'inset 3px 0 0 var(--line)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--read)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--raised)', outline: '1px solid var(--strong-line)' },
  '.cm-lintRange': { backgroundImage: 'none', textDecorationLine: 'underline', textDecorationThickness: '2px', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationStyle: 'wavy', textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationStyle: 'wavy', textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { textDecorationStyle: 'dotted', textDecorationColor: 'var(--info)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--strong-line)', maxWidth: '40rem' },
  '.cm-tooltip-autocomplete > ul > li': { fontFamily: 'var(--mono)', fontSize: '0.8125rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--read)', color: 'var(--read-ink)' },
  '.cm-diagnostic': { borderLeft: '4px solid var(--strong-line)' },
  '.cm-panel': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-specialChar': { color: 'var(--bad)' },
})
