import { useState } from 'react'
import * as v from 'valibot'
import { RangeCalendar, type DayRange } from '@/components/dates/range-calendar'
import { DateTimeField } from '@/components/form/date-time-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { PriceSummary } from '@/components/money/price-summary'
import { Example } from '@/features/kit/example'
import { moment } from '@/lib/text/rules'
import { daysAfter, daysIn, siteToday } from '@/lib/time/site-day'
import styles from '../example.module.css'

const DAILY = 550

const SCHEMA = v.object({ starts_at: moment({ from: '2026-01-01T00:00:00Z' }), ends_at: v.string() })

function MomentForm() {
  const [sent, setSent] = useState('')
  const form = useForm({
    schema: SCHEMA,
    defaults: { starts_at: '2026-07-01T16:00:00.000Z', ends_at: '' },
    submit: async (values) => setSent(JSON.stringify(values)),
  })
  return (
    <Form form={form} label="An event" className={styles.narrow}>
      <DateTimeField name="starts_at" label="Begins" min="2026-01-01T00:00:00Z" help="Not before 2026." />
      <DateTimeField name="ends_at" label="Ends" optional />
      <Submit>Send</Submit>
      <output>{sent}</output>
    </Form>
  )
}

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
      <Example title="A moment on the site's clock">
        <MomentForm />
      </Example>
      <Example title="Price of it, and while it is asked">
        <PriceSummary days={days} dailyCents={DAILY} totalCents={days * DAILY} />
        <PriceSummary days={days} dailyCents={DAILY} />
      </Example>
    </>
  )
}
