import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { moderationKeys } from '@/entities/moderation/keys'
import { settingKeys } from '@/entities/setting/keys'
import { siteKeys } from '@/entities/site/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { changed, valuesOf, type SettingValues } from '../model/settings'

/** The settings as they are stored now, not as pages cache them. */
export const keptSettingsQuery = () =>
  queryOptions({
    queryKey: settingKeys.edited,
    queryFn: async ({ signal }) => {
      const rows = unwrap(await supabase.from('site_settings').select('setting_key,setting_value').abortSignal(signal))
      return valuesOf(Object.fromEntries(rows.map((row) => [row.setting_key, JSON.parse(row.setting_value)])))
    },
    refetchOnWindowFocus: false,
  })

/** Saves all changes, or none. */
async function saveSettings({ before, after }: { before: SettingValues; after: SettingValues }): Promise<void> {
  const rows = changed(before, after)
  if (rows.length === 0) return
  const { error, status } = await supabase.from('site_settings').upsert(rows, { onConflict: 'setting_key' })
  if (error !== null) throw toApiError(error, status)
}

export const saveSettingsMutation = () =>
  mutationOptions({
    mutationFn: saveSettings,
    meta: {
      invalidates: [settingKeys.all, siteKeys.stats, moderationKeys.pending],
      done: { title: 'admin-settings:saved.title', text: 'admin-settings:saved.text' },
    },
  })
