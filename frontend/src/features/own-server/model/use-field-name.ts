import { useTranslation } from '@/lib/i18n/i18n'
import type { ServerField } from './server-form'

const NAMES = {
  name: 'name',
  game_id: 'game',
  language: 'language',
  ip_address: 'address',
  version: 'version',
  description: 'description',
  website_url: 'website',
  discord_url: 'discord',
  logo_image_url: 'logo',
  banner_image_url: 'banner',
  description_image_url: 'picture',
  backdrop_url: 'backdrop',
  video_url: 'video',
  tags: 'tags',
  custom_color: 'colour',
} as const satisfies Record<ServerField, string>

/** What a field is called. */
export function useFieldName(): (field: ServerField) => string {
  const { t } = useTranslation('own-server')
  return (field) => t(`field.${NAMES[field]}`)
}
