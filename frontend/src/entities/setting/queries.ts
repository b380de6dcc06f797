/** The site's settings, as everyone may read them. A setting that is missing or unreadable is simply not there. */
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { STALE_TIME } from '@/lib/query/stale-times'
import { settingKeys } from './keys'

export type SiteSettings = Readonly<Record<string, unknown>>

export const siteSettingsQuery = () =>
  queryOptions({ queryKey: settingKeys.list, queryFn: fetchSiteSettings, staleTime: STALE_TIME.settled })

async function fetchSiteSettings({ signal }: { signal: AbortSignal }): Promise<SiteSettings> {
  const rows = unwrap(await publicData.from('site_settings').select('setting_key,setting_value').abortSignal(signal))
  return Object.fromEntries(rows.map((row) => [row.setting_key, parseSetting(row.setting_value)]))
}

/** Values are kept as JSON text; one that is not is taken as it stands. */
function parseSetting(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
