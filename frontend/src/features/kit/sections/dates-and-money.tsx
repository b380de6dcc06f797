import { useState } from 'react'
import { RangeCalendar, type DayRange } from '@/components/dates/range-calendar'
import { PriceSummary } from '@/components/money/price-summary'
import { Example } from '@/features/kit/example'
import { daysAfter, daysIn, siteToday } from '@/lib/site-day'

const DAILY = 550

export function Section() {
  const today = siteToday()
  const [range, setRange] = useState<DayRange | null>({ from: daysAfter(today, 1), to: daysAfter(today, 3) })
  const days = range ? daysIn(range.from, range.to) : 0
  return (
    <>
      <Example title="Range with blocked days">
        <RangeCalendar
          label="Days of the booking"
          value={range}
          onChange={setRange}
          blocked={[{ from: daysAfter(today, 6), to: daysAfter(today, 8) }]}
          last={daysAfter(today, 90)}
          most={31}
        />
      </Example>
      <Example title="Price of it, and while it is asked">
        <PriceSummary days={days} dailyCents={DAILY} totalCents={days * DAILY} />
        <PriceSummary days={days} dailyCents={DAILY} />
      </Example>
    </>
  )
}
