/** The public settings of the site. A missing or malformed setting is absent. */
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

/** Values are stored as JSON text; one that is not JSON is used as plain text. */
function parseSetting(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
