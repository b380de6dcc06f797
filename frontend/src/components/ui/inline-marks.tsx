import { Fragment } from 'react'
import { markedRuns } from '@/lib/text/stored-text'

/** A text with its `**bold**` and `*italic*`; nothing else in it means anything. */
export function InlineMarks({ text }: { text: string }) {
  return markedRuns(text).map((run, index) => {
    if (run.mark === 'strong') return <strong key={index}>{run.text}</strong>
    if (run.mark === 'em') return <em key={index}>{run.text}</em>
    return <Fragment key={index}>{run.text}</Fragment>
  })
}
