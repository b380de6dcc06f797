import { useQuery } from '@tanstack/react-query'
import { BookingPage } from '@/features/arcade/booking-page'
import { PaymentsPanel } from '@/features/payments/components/payments-panel'
import { siteSettingsQuery } from '@/entities/setting/queries'
import { saleTermsOf } from '@/entities/price/sale-terms'
import { useSession } from '@/lib/session/session'

export function ArcadePage() {
  const { user } = useSession()
  const terms = saleTermsOf(useQuery(siteSettingsQuery()).data)
  return <BookingPage terms={terms} bookings={user && <PaymentsPanel userId={user.id} kind="arcade" terms={terms} />} />
}
