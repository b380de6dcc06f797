/** Validation of an event type. */
import * as v from 'valibot'
import { colour, oneOf, requiredText } from '@/lib/text/rules'

export const MAX_NAME = 60
export const ICONS = ['calendar', 'trophy', 'star', 'flame', 'crown', 'heart', 'sparkles', 'bell', 'users'] as const

export const eventTypeSchema = (keyWords: string) =>
  v.object({
    key: v.pipe(v.string(), v.trim(), v.regex(/^[a-z][a-z0-9_]{1,39}$/, keyWords)),
    names: v.object({ fr: requiredText(MAX_NAME), en: requiredText(MAX_NAME), es: requiredText(MAX_NAME) }),
    icon: oneOf(ICONS),
    colour: colour(),
    active: v.boolean(),
  })

export type EventTypeValues = v.InferOutput<ReturnType<typeof eventTypeSchema>>

interface EventTypeRow {
  key: string
  name_fr: string
  name_en: string
  name_es: string
  icon: string
  color: string
  is_active: boolean
}

export function eventTypeValues(type: EventTypeRow | null): EventTypeValues {
  return {
    key: type?.key ?? '',
    names: { fr: type?.name_fr ?? '', en: type?.name_en ?? '', es: type?.name_es ?? '' },
    icon: ICONS.find((icon) => icon === type?.icon) ?? 'calendar',
    colour: type?.color ?? '#8B5CF6',
    active: type?.is_active ?? true,
  }
}
