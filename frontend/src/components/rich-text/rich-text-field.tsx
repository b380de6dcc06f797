import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react'
import { useState } from 'react'
import { useField, type FormFieldProps } from '@/components/form/use-field'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useTranslation } from '@/lib/i18n/i18n'
import { LINKS } from './allowed'
import { EXTENSIONS, written } from './editor'
import { sanitise } from './sanitise'
import styles from './rich-text.module.css'

interface RichTextFieldProps extends FormFieldProps {
  /** The maximum number of characters of HTML; the schema refuses more. */
  limit?: number
}

/**
 * Text with headings, lists and links. The value is HTML; pasted content loses what is not allowed.
 * Import lazily.
 */
export function RichTextField({ limit, ...props }: RichTextFieldProps) {
  const field = useField<string | undefined>(props)
  const value = field.value ?? ''
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: sanitise(value),
    injectCSS: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': props.label,
        class: `${styles.rich} ${styles.paper}`,
      },
      transformPastedHTML: sanitise,
    },
    onUpdate: ({ editor: changed }) => field.change(written(changed.getHTML())),
    onBlur: field.leave,
  })
  return (
    <Field {...field.frame} group="group" counter={limit === undefined ? undefined : { text: value, limit }}>
      {() => (
        <div className={styles.editor}>
          <Toolbar editor={editor} />
          <EditorContent editor={editor} ref={() => field.ref({ focus: () => editor.commands.focus() })} />
        </div>
      )}
    </Field>
  )
}

const MARKS = ['bold', 'italic', 'underline', 'strike'] as const
const BLOCKS = ['bulletList', 'orderedList', 'blockquote'] as const

/** Each button is a tab stop with a name and a state; a single tab stop would hide the choice. */
function Toolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('form')
  const [asking, setAsking] = useState(false)
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      underline: now.isActive('underline'),
      strike: now.isActive('strike'),
      bulletList: now.isActive('bulletList'),
      orderedList: now.isActive('orderedList'),
      blockquote: now.isActive('blockquote'),
      h3: now.isActive('heading', { level: 3 }),
      h4: now.isActive('heading', { level: 4 }),
      link: now.isActive('link'),
    }),
  })
  const tool = (name: keyof typeof on, act: () => void) => (
    <Button
      key={name}
      size="small"
      variant={on[name] ? 'secondary' : 'quiet'}
      aria-pressed={on[name]}
      data-tooltip={t(`richText.${name}`)}
      onClick={act}
    >
      <span aria-hidden="true" data-tool={name} className={styles.tool}>
        {SIGNS[name]}
      </span>
      <VisuallyHidden>{t(`richText.${name}`)}</VisuallyHidden>
    </Button>
  )
  return (
    <div role="toolbar" aria-label={t('richText.toolbar')} className={styles.tools}>
      {MARKS.map((mark) => tool(mark, () => editor.chain().focus().toggleMark(mark).run()))}
      {([3, 4] as const).map((level) => tool(`h${level}`, () => editor.chain().focus().toggleHeading({ level }).run()))}
      {BLOCKS.map((block) =>
        tool(block, () => {
          const chain = editor.chain().focus()
          if (block === 'bulletList') chain.toggleBulletList().run()
          else if (block === 'orderedList') chain.toggleOrderedList().run()
          else chain.toggleBlockquote().run()
        }),
      )}
      {tool('link', () => (on.link ? editor.chain().focus().unsetLink().run() : setAsking(true)))}
      {asking && <LinkLine editor={editor} onClose={() => setAsking(false)} />}
    </div>
  )
}

const SIGNS = {
  bold: 'B',
  italic: 'I',
  underline: 'U',
  strike: 'S',
  h3: 'H1',
  h4: 'H2',
  bulletList: '•',
  orderedList: '1.',
  blockquote: '”',
  link: '↗',
} as const

function LinkLine({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useTranslation(['form', 'ui'])
  const [address, setAddress] = useState('https://')
  const isGood = LINKS.test(address) && URL.canParse(address)
  function put(): void {
    if (!isGood) return
    const { empty } = editor.state.selection
    const link = { href: address }
    if (empty)
      editor
        .chain()
        .focus()
        .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: link }] })
        .run()
    else editor.chain().focus().setLink(link).run()
    onClose()
  }
  return (
    <div className={styles.link}>
      <input
        ref={(input) => input?.focus()}
        className={styles.address}
        type="url"
        aria-label={t('form:richText.address')}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          put()
        }}
      />
      <Button size="small" disabled={!isGood} onClick={put}>
        {t('form:richText.put')}
      </Button>
      <Button size="small" variant="quiet" onClick={onClose}>
        {t('ui:cancel')}
      </Button>
    </div>
  )
}
