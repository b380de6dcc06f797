/** The price of a day of Prestige, by the number of days. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Icon } from '@/components/ui/icon'
import { formatUnit } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import { removeStepMutation, type Step } from './api/prices'
import { prestigeStepsQuery } from '@/entities/price/queries'
import styles from './admin-money.module.css'

const StepDialog = lazyComponent(async () => (await import('./components/step-dialog')).StepDialog)

const CURRENCY = 'eur'

export function PrestigePricesPage() {
  const { t } = useTranslation(['admin-money', 'leads', 'pages'])
  const steps = useQuery(prestigeStepsQuery())
  const [edited, setEdited] = useState<Step | 'new' | null>(null)
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('pages:adminPrestigePricing')}
        description={t('admin-money:prices.lead')}
        actions={
          <Button variant="primary" icon="plus" aria-haspopup="dialog" onClick={() => setEdited('new')}>
            {t('admin-money:prices.add')}
          </Button>
        }
      />
      <QueryStates
        query={steps}
        loading={<PanelLoading rows={4} />}
        failed={t('admin-money:prices.failed')}
        empty={<PanelEmpty>{t('admin-money:prices.empty')}</PanelEmpty>}
      >
        {(rows) => (
          <PanelList label={t('pages:adminPrestigePricing')}>
            {rows.map((step, place) => (
              <StepRow key={step.min_days} step={step} next={rows[place + 1]} onEdit={() => setEdited(step)} />
            ))}
          </PanelList>
        )}
      </QueryStates>
      <Suspense>
        {edited !== null && <StepDialog step={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      </Suspense>
    </div>
  )
}

interface StepRowProps {
  step: Step
  /** The following tier, at which this one ends. */
  next: Step | undefined
  onEdit: () => void
}

function StepRow({ step, next, onEdit }: StepRowProps) {
  const { t } = useTranslation('admin-money')
  const language = useLanguage()
  const remove = useMutation(removeStepMutation())
  const { min_days: from, unit_price_cents: cents } = step
  const money = (amount: number): string => formatAmount(amount, CURRENCY, language)
  const days = formatUnit(from, 'day', language)
  const to = next && next.min_days - 1
  const span = to === undefined ? t('prices.last', { days }) : to === from ? days : t('prices.span', { from, to })
  return (
    <PanelRow
      icon={<Icon name="crown" />}
      title={span}
      details={t('prices.example', { count: from, unit: money(cents), total: money(cents * from) })}
      action={
        <>
          <Button size="small" icon="edit" aria-label={t('prices.editNamed', { span })} onClick={onEdit}>
            {t('prices.edit')}
          </Button>
          <ConfirmButton
            size="small"
            variant="quiet"
            aria-label={t('prices.removeNamed', { span })}
            title={t('prices.removeTitle', { span })}
            text={t('prices.removeText')}
            confirm={t('prices.remove')}
            onConfirm={() => remove.mutateAsync(step)}
          >
            {t('prices.remove')}
          </ConfirmButton>
        </>
      }
    />
  )
}
