import { Steps } from '@/components/prose/steps'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'

const STEPS = ['choose', 'copy', 'paste'] as const

/** Three steps to add a widget to a site. */
export function Guide() {
  const { t } = useTranslation('creator-tools')
  return (
    <Panel variant="above" title={t('guide.title')}>
      <Steps
        steps={STEPS.map((step) => (
          <div key={step}>
            <strong>{t(`guide.${step}`)}</strong>
            <p>{t(`guide.${step}Text`)}</p>
          </div>
        ))}
      />
    </Panel>
  )
}
