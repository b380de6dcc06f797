/** Settings of sign-in: mails, providers, and limits. */
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { AUTHENTICATION_PARTS } from '@/app/navigation'
import { PartTabs } from '@/ui/part-tabs'
import { ScreenFrame } from '@/ui/screen'
import { Limits } from './limits'
import { Mails } from './mails'
import { Providers } from './providers'

export function Screen() {
  const { t } = useTranslation('authentication')
  const { part } = useParams()
  const selected = AUTHENTICATION_PARTS.find((one) => one === part) ?? 'mails'
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      <PartTabs
        address="/authentication"
        parts={AUTHENTICATION_PARTS}
        value={selected}
        labelOf={(one) => t(`parts.${one}`)}
      >
        {selected === 'mails' ? <Mails /> : selected === 'providers' ? <Providers /> : <Limits />}
      </PartTabs>
    </ScreenFrame>
  )
}
