import { Fragment } from 'react'
import { markedRuns } from '@/lib/text/stored-text'

/** Renders `**bold**` and `*italic*` in a text; all other markup is shown as it is. */
export function InlineMarks({ text }: { text: string }) {
  return markedRuns(text).map((run, index) => {
    if (run.mark === 'strong') return <strong key={index}>{run.text}</strong>
    if (run.mark === 'em') return <em key={index}>{run.text}</em>
    return <Fragment key={index}>{run.text}</Fragment>
  })
}
