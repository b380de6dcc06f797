/** The legal pages, with the operator's particulars and this site's retention periods. */
import { Callout } from '@/components/prose/callout'
import { Prose } from '@/components/prose/prose'
import { config } from '@/lib/config'
import { formatDate, formatDuration, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { PRIVACY, reading, TERMS, TERMS_OF_SALE } from './articles'
import { particularsOf, type LegalKey } from './model/particulars'
import { KEPT, readRetention } from './model/retention'

const READ = { privacy: reading(PRIVACY), terms: reading(TERMS), termsOfSale: reading(TERMS_OF_SALE) }
/** The date of the last change in substance of each page. */
const UPDATED: Record<LegalKey, string> = { privacy: '2026-11-24', terms: '2026-11-24', termsOfSale: '2026-11-23' }
/** The minimum that the law requires. */
const WITHDRAWAL_DAYS = 14

const RETENTION = readRetention(document)

interface LegalPageProps {
  page: LegalKey
  settings: Readonly<Record<string, unknown>>
}

export function LegalPage({ page, settings }: LegalPageProps) {
  const language = useLanguage()
  const { t } = useTranslation('legal')
  const { words, missing } = particularsOf(page, settings, t('notStated'))
  const days = Number(settings.withdrawal_days ?? WITHDRAWAL_DAYS)
  const Read = READ[page]
  const periods = Object.fromEntries(KEPT.map((name) => [name, formatNumber(RETENTION[name], language)]))
  const top = (
    <>
      <Prose>
        <p>{t('updated', { date: formatDate(UPDATED[page], language) })}</p>
      </Prose>
      {missing.length > 0 && (
        <Callout tone="warning">
          <Prose>
            <p>{t('missing')}</p>
            <ul>
              {missing.map((name) => (
                <li key={name}>{t(`particulars.${name}`)}</li>
              ))}
            </ul>
            <p>{t('missingWhy')}</p>
          </Prose>
        </Callout>
      )}
    </>
  )
  return (
    <Read
      words={{
        ...words,
        ...periods,
        cooldown: formatDuration(config.voteCooldownSeconds, language),
        timezone: config.timezone,
        withdrawalDays: formatNumber(days >= WITHDRAWAL_DAYS ? days : WITHDRAWAL_DAYS, language),
      }}
      top={top}
    />
  )
}
