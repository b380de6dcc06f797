import { InlineMarks } from '@/components/ui/inline-marks'

/** Paragraphs and line breaks as typed, with bold and italic. */
export function PlainDescription({ text }: { text: string }) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph, index) => (
    <p key={index} style={{ whiteSpace: 'pre-line' }}>
      <InlineMarks text={paragraph.trim()} />
    </p>
  ))
}
