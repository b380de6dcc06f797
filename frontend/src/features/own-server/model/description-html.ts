import { markedRuns } from '@/lib/text/stored-text'

const HAS_TAGS = /<\/?[a-z][^>]*>/i

/**
 * Converts a description from before the editor to HTML: its paragraphs, line breaks and asterisks.
 */
export function descriptionHtml(text: string): string {
  if (text.trim() === '' || HAS_TAGS.test(text)) return text.trim()
  const lines = (paragraph: string): string => paragraph.trim().split('\n').map(lineHtml).join('<br>')
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${lines(paragraph)}</p>`)
    .join('')
}

function lineHtml(line: string): string {
  return markedRuns(line)
    .map(({ text, mark }) => (mark === 'none' ? escape(text) : `<${mark}>${escape(text)}</${mark}>`))
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
