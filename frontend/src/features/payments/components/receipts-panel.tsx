import { useQuery } from '@tanstack/react-query'
import { OwnPanel } from '@/components/query/own-panel'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Facts, PanelRow } from '@/components/ui/panel'
import { formatDate } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { receiptsQuery } from '../api/receipts'
import { documentNumber } from '../model/document'
import styles from './payments.module.css'
import { useSubjectWords } from './subject-words'

/** Receipts and credit notes, the last first. */
export function ReceiptsPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const wordsOf = useSubjectWords()
  return (
    <OwnPanel
      title={t('papers.title')}
      intro={t('papers.intro')}
      query={useQuery(receiptsQuery(userId))}
      unreadable={t('papers.unreadable')}
      empty={t('papers.empty')}
    >
      {({ number, kind, subject, days, issued_at: issued, amount_cents: cents, currency }) => {
        const isCredit = kind === 'credit'
        const name = t(isCredit ? 'paper.credit' : 'paper.receipt', { number: documentNumber(number) })
        return (
          <PanelRow
            key={number}
            icon={<Icon name={isCredit ? 'arrow-left' : 'check'} />}
            title={name}
            details={
              <Facts
                facts={[
                  wordsOf({ kind: subject.kind, days, position: subject.position }),
                  subject.server && decodeStored(subject.server),
                  formatDate(issued, language),
                ]}
              />
            }
            action={
              <>
                <span className={styles.amount}>{formatAmount(isCredit ? -cents : cents, currency, language)}</span>
                <ButtonLink
                  size="small"
                  to={paths.receipt(language, { number: String(number) })}
                  aria-label={t('papers.openNamed', { name })}
                >
                  {t('papers.open')}
                </ButtonLink>
              </>
            }
          />
        )
      }}
    </OwnPanel>
  )
}
