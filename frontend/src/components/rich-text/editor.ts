/** The editor's extensions: no more than the allowed tags. Knows no component. */
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

/** An empty editor holds an empty paragraph. */
export function written(html: string): string {
  return html === '<p></p>' ? '' : html
}
