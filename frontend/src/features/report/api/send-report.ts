import { mutationOptions } from '@tanstack/react-query'
import { toApiError } from '@/lib/api/errors'
import type { ReportTarget } from '@/entities/report/dialog'
import type { ReportReason } from '@/entities/report/reasons'
import { supabase } from '@/lib/api/supabase'

interface NewReport {
  target: ReportTarget
  reporterId: string
  reason: ReportReason
  custom: string
}

/** Creates a report; only its author and the moderators can read it. */
async function sendReport({ target, reporterId, reason, custom }: NewReport): Promise<'new' | 'known'> {
  const { error, status } = await supabase.from('reports').insert({
    server_id: target.kind === 'server' ? target.id : null,
    comment_id: target.kind === 'review' ? target.id : null,
    reporter_id: reporterId,
    reason,
    custom_reason: reason === 'other' ? custom : null,
    status: 'pending',
  })
  // The person's first report about it is still pending.
  if (error?.code === '23505') return 'known'
  if (error !== null) throw toApiError(error, status)
  return 'new'
}

export const sendReportMutation = () =>
  mutationOptions({
    mutationFn: sendReport,
    meta: {
      done: (which: 'new' | 'known') =>
        which === 'new'
          ? { title: 'report:done.title', text: 'report:done.text' }
          : { title: 'report:known.title', text: 'report:known.text' },
      failed: 'report:failed',
    },
  })
