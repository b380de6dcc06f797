/** The SQL editor: highlighting, completion of database names, and the position of an error. */
import { autocompletion, closeCompletion } from '@codemirror/autocomplete'
import { indentWithTab } from '@codemirror/commands'
import { PostgreSQL, sql, type SQLNamespace } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, Prec, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, keymap, placeholder, type DecorationSet } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import type { NamedRelation } from '@/postgres/relations'

export interface EditorHandle {
  /** The selection, or null. */
  selection: () => { from: number; to: number } | null
  cursor: () => number
  /** Underlines a character and scrolls to it; null removes the underline. */
  showError: (position: number | null) => void
  focus: () => void
}

interface Props {
  ref: Ref<EditorHandle>
  label: string
  hint: string
  text: string
  names: readonly NamedRelation[]
  onChange: (text: string) => void
  onRun: () => void
}

const setError = StateEffect.define<number | null>()
const errorMark = Decoration.mark({ class: 'cm-place-of-error' })

const errorField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = transaction.docChanged ? Decoration.none : marks
    for (const effect of transaction.effects) {
      if (!effect.is(setError)) continue
      if (effect.value === null) next = Decoration.none
      else {
        const { doc } = transaction.state
        const from = Math.min(effect.value, doc.length)
        const word = transaction.state.wordAt(from)
        const to = Math.max(word?.to ?? from + 1, from + 1)
        next = from < doc.length ? Decoration.set([errorMark.range(from, Math.min(to, doc.length))]) : Decoration.none
      }
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--console-hover) 60%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--console-selected)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--console-selected)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--console-selected)', outline: 'none' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--console-surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--console-border)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--console-selected)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-place-of-error': { textDecoration: 'underline wavy var(--console-bad)', textUnderlineOffset: '3px' },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--console-accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--console-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--console-warning)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: tags.typeName, color: 'var(--mantine-color-anchor)' },
])

export function Editor({ ref, label, hint, text, names, onChange, onRun }: Props) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const language = useRef(new Compartment())
  const callbacks = useRef({ onChange, onRun })
  callbacks.current = { onChange, onRun }
  const first = useRef({ text, label, hint })

  useEffect(() => {
    const run = (editor: EditorView): boolean => {
      closeCompletion(editor)
      callbacks.current.onRun()
      return true
    }
    const editor = new EditorView({
      parent: parent.current!,
      doc: first.current.text,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        keymap.of([indentWithTab]),
        autocompletion(),
        language.current.of(languageOf([])),
        syntaxHighlighting(colours),
        theme,
        errorField,
        placeholder(first.current.hint),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': first.current.label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) callbacks.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(names)) })
  }, [names])
  // The text was replaced from outside, for instance by a reloaded snippet.
  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])

  useImperativeHandle(ref, () => ({
    selection() {
      const range = view.current?.state.selection.main
      return range && !range.empty ? { from: range.from, to: range.to } : null
    },
    cursor: () => view.current?.state.selection.main.head ?? 0,
    showError(position) {
      const scroll =
        position === null
          ? []
          : [EditorView.scrollIntoView(Math.min(position, view.current?.state.doc.length ?? 0), { y: 'center' })]
      view.current?.dispatch({ effects: [setError.of(position), ...scroll] })
    },
    focus: () => view.current?.focus(),
  }))
  return <div ref={parent} />
}

function languageOf(names: readonly NamedRelation[]) {
  const schema: Record<string, Record<string, string[]>> = {}
  for (const { schema: schemaName, name, columns } of names) (schema[schemaName] ??= {})[name] = columns
  return sql({
    dialect: PostgreSQL,
    schema: schema satisfies SQLNamespace,
    defaultSchema: 'public',
    upperCaseKeywords: false,
  })
}
