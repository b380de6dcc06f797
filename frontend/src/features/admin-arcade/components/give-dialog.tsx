/** A spot that an administrator creates without a payment. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { RangeCalendar, type DayRange } from '@/components/dates/range-calendar'
import { EntityDialog } from '@/components/form/entity-dialog'
import { RadioField } from '@/components/form/radio-field'
import { TextField } from '@/components/form/text-field'
import { useField } from '@/components/form/use-field'
import { PictureAddressField } from '@/components/image/picture-address-field'
import { Field } from '@/components/ui/field'
import { COPY_REFUSALS, useCopyPicture } from '@/entities/image/queries'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal, type Refusals } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { optionalWebAddress } from '@/lib/text/rules'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import { daysQuery, giveMutation } from '../api/spots'
import { POSITIONS } from '../model/tiles'

const MOST_DAYS = 366
const REFUSALS: Refusals = { ...COPY_REFUSALS, '23P01': 'admin-arcade:refusal.taken' }
const FIELDS = {
  '23P01': 'days',
  picture_unreachable: 'picture',
  picture_too_large: 'picture',
  picture_invalid: 'picture',
  picture_not_stored: 'picture',
} as const

export function GiveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin-arcade')
  const give = useMutation(giveMutation())
  const copyPicture = useCopyPicture()
  const words = useRefusal(REFUSALS)
  return (
    <EntityDialog
      title={t('give.title')}
      description={t('give.intro')}
      action={t('give.submit')}
      onClose={onClose}
      schema={v.object({
        position: v.picklist(POSITIONS, t('give.noPosition')),
        days: v.nonNullish(v.object({ from: v.string(), to: v.string() }), t('give.noDays')),
        picture: v.pipe(optionalWebAddress(), v.nonEmpty(t('give.noPicture'))),
        website: optionalWebAddress(),
      })}
      defaults={{ position: '' as string, days: null as DayRange | null, picture: '', website: '' }}
      submit={async ({ position, days, picture, website }) =>
        give.mutateAsync({ position: Number(position), ...days, picture: await copyPicture(picture), website })
      }
      refusals={FIELDS}
      words={words}
    >
      <RadioField
        name="position"
        label={t('column.position')}
        choices={POSITIONS.map((one) => ({ value: one, label: t(`position.${one}`) }))}
      />
      <Days />
      <PictureAddressField name="picture" label={t('give.picture')} />
      <TextField
        name="website"
        label={t('give.website')}
        type="url"
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        optional
      />
    </EntityDialog>
  )
}

/** Days that are free at the position; those of a suspended spot are free, too. */
function Days() {
  const { t } = useTranslation('admin-arcade')
  const language = useLanguage()
  const today = siteToday()
  const last = daysAfter(today, MOST_DAYS)
  const label = t('column.days')
  const field = useField<DayRange | null>({ name: 'days', label })
  const position = useWatch<{ position: string }, 'position'>({ name: 'position' })
  const spots = useQuery(daysQuery(today, last)).data ?? []
  const blocked = spots
    .filter((spot) => String(spot.position) === position && spot.status !== 'suspended')
    .map((spot) => ({ from: spot.start_date, to: spot.end_date }))
  const days = field.value
  return (
    <Field {...field.frame} group="group">
      {() => (
        <>
          <RangeCalendar
            key={position}
            label={label}
            value={days}
            onChange={field.change}
            blocked={blocked}
            first={today}
            last={last}
            most={MOST_DAYS}
          />
          {days !== null && (
            <p aria-live="polite">
              {t('days', { from: formatDate(days.from, language), to: formatDate(days.to, language) })}
            </p>
          )}
        </>
      )}
    </Field>
  )
}
