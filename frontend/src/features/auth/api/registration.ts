import { queryOptions } from '@tanstack/react-query'
import { settingKeys } from '@/entities/setting/keys'
import { unwrap } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'

/**
 * Whether registration is open. Open if the setting cannot be read, because the server checks it
 * again.
 */
export const registrationQuery = () =>
  queryOptions({ queryKey: settingKeys.registration, queryFn: ({ signal }) => fetchRegistration(signal) })

async function fetchRegistration(signal: AbortSignal): Promise<boolean> {
  const [setting] = unwrap(
    await publicData
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'registration_open')
      .abortSignal(signal),
  )
  return setting?.setting_value !== 'false'
}
