import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '@/components/ui/button'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { PaymentsPanel } from '@/features/payments/components/payments-panel'
import { ReceiptsPanel } from '@/features/payments/components/receipts-panel'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { saleTermsOf } from '@/entities/price/sale-terms'
import { useLanguage } from '@/lib/i18n/use-language'

/** The purchases of a person, as sections of their profile. */
export function Purchases({ userId }: { userId: string }) {
  const { t } = useTranslation('payments')
  const language = useLanguage()
  const terms = saleTermsOf(useQuery(siteSettingsQuery()).data)
  return (
    <>
      <SectionBoundary>
        <PaymentsPanel
          userId={userId}
          kind="arcade"
          terms={terms}
          next={<ButtonLink to={paths.arcadeSpotsManagement(language)}>{t('arcade.book')}</ButtonLink>}
        />
      </SectionBoundary>
      <SectionBoundary>
        <PaymentsPanel userId={userId} kind="prestige" terms={terms} />
      </SectionBoundary>
      <SectionBoundary>
        <ReceiptsPanel userId={userId} />
      </SectionBoundary>
    </>
  )
}
