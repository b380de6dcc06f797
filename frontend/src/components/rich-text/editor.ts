/** What the editor can do: no more than is allowed to be shown. Knows no component. */
import type { Extensions } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'
import { HEADINGS, LINKS } from './allowed'

export const EXTENSIONS: Extensions = [
  StarterKit.configure({
    heading: { levels: [...HEADINGS] },
    link: { openOnClick: false, autolink: true, isAllowedUri: (address) => LINKS.test(address) },
    trailingNode: false,
  }),
]

/** An editor without a word holds an empty paragraph. */
export function written(html: string): string {
  return html === '<p></p>' ? '' : html
}
