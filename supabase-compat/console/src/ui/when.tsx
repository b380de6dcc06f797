import { useFormats, type Moment } from '@/i18n/format'

/** The relative time, with the absolute one on hover. */
export function When({ at }: { at: Moment }) {
  const formats = useFormats()
  if (!at) return <span>–</span>
  const date = new Date(at)
  return (
    <time dateTime={Number.isNaN(date.getTime()) ? undefined : date.toISOString()} title={formats.dateTime(at)}>
      {formats.relative(at)}
    </time>
  )
}
