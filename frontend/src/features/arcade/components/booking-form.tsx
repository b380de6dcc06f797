import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { goToCheckout } from '@/components/checkout/go-to-checkout'
import { OrderTerms } from '@/components/checkout/order-terms'
import { Form } from '@/components/form/form'
import { RadioField } from '@/components/form/radio-field'
import { SelectField } from '@/components/form/select-field'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { ImageField } from '@/components/image/image-field'
import { PictureAddressField } from '@/components/image/picture-address-field'
import { PriceSummary } from '@/components/money/price-summary'
import { Panel } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { Skeleton } from '@/components/ui/skeleton'
import { useCopyPicture } from '@/entities/image/queries'
import { arcadeTotalQuery } from '@/entities/price/queries'
import type { SaleTerms } from '@/entities/price/sale-terms'
import { ownServersQuery } from '@/entities/server/own'
import { uploadTo } from '@/lib/api/upload'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import { daysIn } from '@/lib/time/site-day'
import { bookMutation } from '../api/book'
import { takenQuery } from '../api/taken'
import { NO_BOOKING, POSITIONS, bookingSchema, type Days, type TakenDays } from '../model/booking'
import { BOOKING_REFUSALS } from '../model/refusals'
import styles from './booking-form.module.css'
import { DaysField } from './days-field'

/** The tile is part of the home page's code. */
const TilePreview = lazyComponent(async () => (await import('./tile-preview')).TilePreview)

/**
 * The ratio of the tile (`arcade-tile.module.css`), so that nothing of the cropped image is cut
 * off.
 */
const TILE = { width: 1024, height: 256 }
const TILE_ADVISED = { width: 512, height: 128 }
const NONE: readonly TakenDays[] = []

const FIELDS = {
  position_missing: 'position',
  dates_missing: 'days',
  dates_refused: 'days',
  days_taken: 'days',
  image_missing: 'picture',
  website_refused: 'website',
  picture_unreachable: 'pictureAddress',
  picture_too_large: 'pictureAddress',
  picture_invalid: 'pictureAddress',
  picture_not_stored: 'pictureAddress',
} as const

interface BookingFormProps {
  userId: string
  terms: SaleTerms
  /** The position in the address. */
  initialPosition: string | null
}

export function BookingForm({ userId, terms, initialPosition }: BookingFormProps) {
  const { t } = useTranslation(['arcade', 'checkout'])
  const language = useLanguage()
  const taken = useQuery(takenQuery())
  const book = useMutation(bookMutation())
  const copyPicture = useCopyPicture()
  const words = useRefusal(BOOKING_REFUSALS)
  const schema = useMemo(() => {
    const texts = {
      position: t('arcade:missing.position'),
      days: t('arcade:missing.days'),
      taken: t('arcade:refusal.taken'),
      picture: t('arcade:missing.picture'),
      consent: t('checkout:order.consentMissing'),
    }
    return bookingSchema(texts, taken.data ?? NONE)
  }, [t, taken.data])
  const form = useForm({
    schema,
    defaults: { ...NO_BOOKING, position: POSITIONS.find((position) => position === initialPosition) ?? '' },
    submit: async ({ position, days, picture, pictureAddress, website, server }) =>
      book.mutateAsync({
        position: Number(position),
        startDate: days.from,
        endDate: days.to,
        imageUrl: picture || (await copyPicture(pictureAddress)),
        websiteUrl: website || null,
        serverId: server || null,
        language,
        beginsAtOnce: true,
      }),
    onDone: (url) => goToCheckout(url, 'beside'),
    refusals: FIELDS,
    words,
    after: 'clear',
    draft: 'arcade.booking',
  })
  const { setValue } = form.fields
  const upload = useMemo(() => uploadTo(`arcade-spots/${userId}`), [userId])
  return (
    <Form form={form} label={t('arcade:title')} className={styles.form}>
      <div className={styles.columns}>
        <div className={styles.fields}>
          <Panel variant="boxed" title={t('arcade:part.when')}>
            <RadioField
              name="position"
              label={t('arcade:field.position')}
              choices={POSITIONS.map((position) => ({ value: position, label: t(`arcade:position.${position}`) }))}
            />
            <DaysField
              takenDays={taken.data ?? NONE}
              isUnreadable={taken.isError}
              onRetry={() => void taken.refetch()}
            />
          </Panel>
          <Panel variant="boxed" title={t('arcade:part.what')}>
            <ImageField
              name="picture"
              label={t('arcade:field.picture')}
              size={TILE}
              recommended={TILE_ADVISED}
              animated
              upload={async (picture, sending) => {
                const address = await upload(picture, sending)
                setValue('pictureAddress', '', { shouldDirty: true })
                return address
              }}
            />
            <PictureAddressField
              name="pictureAddress"
              label={t('arcade:field.pictureAddress')}
              help={t('arcade:field.pictureAddressHelp')}
              onTyped={(text) => {
                if (text.trim() === '') return
                setValue('picture', '', { shouldDirty: true })
                form.fields.clearErrors('picture')
              }}
              optional
            />
            <TextField
              name="website"
              label={t('arcade:field.website')}
              help={t('arcade:field.websiteHelp')}
              type="url"
              placeholder="https://"
              autoCapitalize="none"
              spellCheck={false}
              optional
            />
            <ServerField userId={userId} />
          </Panel>
        </div>
        <div className={styles.result}>
          <Suspense fallback={<Skeleton height="9rem" radius="var(--radius-lg)" />}>
            <TilePreview userId={userId} />
          </Suspense>
          <Panel variant="boxed" title={t('arcade:part.price')}>
            <PriceOfDays terms={terms} />
            <OrderTerms terms={terms} consent={t('arcade:consent')} />
          </Panel>
        </div>
      </div>
    </Form>
  )
}

/** One of the person's own servers, whose name and votes then appear on the tile. */
function ServerField({ userId }: { userId: string }) {
  const { t } = useTranslation('arcade')
  const servers = useQuery(ownServersQuery(userId)).data ?? []
  if (servers.length === 0) return null
  return (
    <SelectField
      name="server"
      label={t('field.server')}
      help={t('field.serverHelp')}
      empty={t('field.noServer')}
      choices={servers.map((server) => ({ value: server.id, label: decodeStored(server.name) }))}
      optional
    />
  )
}

function PriceOfDays({ terms }: { terms: SaleTerms }) {
  const { t } = useTranslation('arcade')
  const days = useWatch<{ days: Days | null }, 'days'>({ name: 'days' })
  const count = days ? daysIn(days.from, days.to) : 0
  const total = useQuery({ ...arcadeTotalQuery(count), enabled: count > 0 })
  if (count === 0) return <p className={styles.quiet}>{t('chooseDays')}</p>
  if (total.isError)
    return <PanelFailure text={t('priceUnreadable')} busy={total.isFetching} onRetry={() => void total.refetch()} />
  return <PriceSummary days={count} dailyCents={terms.arcadeDailyCents} totalCents={total.data} />
}
