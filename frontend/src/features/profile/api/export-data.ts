/** All data that the site stores about the person, as one file. */
import { mutationOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { download } from '@/lib/browser/download'
import { siteToday } from '@/lib/time/site-day'
import { supabase } from '@/lib/api/supabase'

interface Export {
  /** Ids of servers, which are stored in this browser only. */
  favorites: readonly string[]
}

async function exportData({ favorites }: Export): Promise<void> {
  const data = unwrap(await supabase.rpc('export_my_data'))
  const exported = { ...(data as object), favorites }
  download(`palmares-${siteToday()}.json`, JSON.stringify(exported, null, 2), 'application/json')
}

export const exportDataMutation = () =>
  mutationOptions({
    mutationFn: exportData,
    meta: { done: 'profile:export.done', failed: 'profile:export.failed' },
  })
