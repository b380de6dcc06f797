import { Icon } from '@/components/ui/icon'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { isPageKey } from '@/lib/routing/pages'
import { useLanguage } from '@/lib/i18n/use-language'
import { findingsOf, stateOf, type AuditedPage, type Filter, type Kind, type Verdict } from '../model/audit'
import { Findings, StateBadge } from './findings'
import styles from './audit.module.css'

const OWN_NAMES = [
  'sharedGame',
  'shortcut',
  'sharedShortcut',
  'server',
  'reviewedServer',
  'serverById',
  'missing',
] as const

function useKindName(kind: string): string {
  const { t } = useTranslation(['seo-audit', 'pages'])
  const ownName = OWN_NAMES.find((name) => name === kind)
  if (ownName) return t(`kinds.${ownName}`)
  return isPageKey(kind) ? t(`pages:${kind}`) : kind
}

/** A kind of page: its state in each language, and its findings once it is opened. */
export function KindRow({ kind, pages, filter }: Kind & { filter: Filter }) {
  const { t } = useTranslation('seo-audit')
  const name = useKindName(kind)
  if (pages.length === 0)
    return (
      <div className={styles.absent}>
        <h3 className={styles.name}>{name}</h3>
        <span>{t('absent')}</span>
      </div>
    )
  return (
    <details className={styles.kind}>
      <summary className={styles.summary}>
        <h3 className={styles.name}>{name}</h3>
        <span className={styles.states}>
          {pages.map((page) => (
            <LanguageState key={page.language} {...page} />
          ))}
        </span>
        <Icon name="chevron-down" size={18} />
      </summary>
      {pages.map((page) => (
        <PageFindings key={page.language} page={page} filter={filter} />
      ))}
    </details>
  )
}

/**
 * A language and the state of the page in it; the meaning of the color is also a text for screen
 * readers.
 */
function LanguageState(page: AuditedPage) {
  const { t } = useTranslation('seo-audit')
  const state = stateOf(page)
  return (
    <span role="img" aria-label={`${page.language}, ${t(`state.${state}`)}`} data-tooltip={t(`state.${state}`)}>
      <StateBadge state={state}>{page.language}</StateBadge>
    </span>
  )
}

function PageFindings({ page, filter }: { page: AuditedPage; filter: Filter }) {
  const { t } = useTranslation('seo-audit')
  return (
    <div className={styles.page}>
      <p className={styles.address}>
        <a href={page.address} hrefLang={page.language} data-tooltip={t('open')}>
          {page.address}
        </a>
        <span>{page.status}</span>
      </p>
      <Outcome verdict={page} filter={filter} />
    </div>
  )
}

/** The findings, and the number of passed rules. */
export function Outcome({ verdict, filter }: { verdict: Verdict; filter: Filter }) {
  const { t } = useTranslation('seo-audit')
  const language = useLanguage()
  const { length } = verdict.passed
  return (
    <>
      <Findings findings={findingsOf(verdict, filter)} />
      <p className={styles.passed}>
        <Icon name="check" size={16} />
        {t('passed', { count: length, formatted: formatNumber(length, language) })}
      </p>
    </>
  )
}
