import { useState } from 'react'
import { BarChart } from '@/components/charts/bar-chart'
import { ChartLoading } from '@/components/charts/chart-loading'
import { LineChart } from '@/components/charts/line-chart'
import { RangeSwitch } from '@/components/charts/range-switch'
import { countsOn, daysFrom, firstDayOf, type Range } from '@/components/charts/ranges'
import { Sparkline } from '@/components/charts/sparkline'
import { Panel } from '@/components/ui/panel'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { Example } from '@/features/kit/example'
import { formatMoney } from '@/lib/i18n/format'
import styles from '../example.module.css'

/** A fixed quarter of a year, so that the charts never change. */
const TODAY = '2026-11-22'
const ROWS = daysFrom('2026-07-01', TODAY).map((day, index) => ({
  day,
  votes: Math.round(420 + 260 * Math.sin(index / 9) + 90 * Math.sin(index * 1.7) + index * 2),
  clicks: Math.round(160 + 70 * Math.cos(index / 7) + 40 * Math.sin(index * 2.3)),
}))

export function Section() {
  const [range, setRange] = useState<Range>('30')
  const days = daysFrom(firstDayOf(range, TODAY) ?? ROWS[0]?.day ?? TODAY, TODAY)
  const votes = countsOn(
    days,
    ROWS,
    ({ day }) => day,
    (row) => row.votes,
  )
  const clicks = countsOn(
    days,
    ROWS,
    ({ day }) => day,
    (row) => row.clicks,
  )
  const week = days.slice(-7)
  return (
    <>
      <Example title="Several lines">
        <div className={styles.whole}>
          <Panel
            variant="above"
            title="Votes and clicks"
            aside={<RangeSwitch value={range} onValueChange={setRange} />}
          >
            <LineChart
              label="Votes and clicks by day"
              days={days}
              series={[
                { name: 'Votes', values: votes },
                { name: 'Clicks', values: clicks },
              ]}
            />
          </Panel>
        </div>
      </Example>
      <Example title="One line, with days of which nothing is known, and money">
        <div className={styles.whole}>
          <LineChart
            label="Earned by day"
            days={days}
            series={[{ name: 'Earned', values: votes.map((value) => value * 10) }]}
            format={(cents) => formatMoney(cents, 'EUR', 'en')}
          />
        </div>
        <div className={styles.whole}>
          <LineChart
            label="Players online"
            days={week}
            series={[{ name: 'Players', values: [12, 40, null, null, 31, 38, 44] }]}
          />
        </div>
      </Example>
      <Example title="Bars">
        <div className={styles.whole}>
          <BarChart label="Votes of the week" days={week} series={{ name: 'Votes', values: votes.slice(-7) }} ongoing />
        </div>
        <div className={styles.whole}>
          <BarChart label="Votes of the period" days={days} series={{ name: 'Votes', values: votes }} ongoing />
        </div>
      </Example>
      <Example title="Sparkline">
        <StatTiles>
          <StatTile icon="arrow-up" label="Votes this month" value="15 123" />
        </StatTiles>
        <Sparkline label="Votes of 30 days, rising" values={votes} tone="good" />
        <Sparkline label="Clicks of 30 days, falling" values={clicks} tone="bad" />
        <Sparkline label="One day" values={[4]} />
      </Example>
      <Example title="Nothing yet, and on its way">
        <div className={styles.whole}>
          <LineChart label="Empty" days={week} series={[{ name: 'Votes', values: week.map(() => 0) }]} />
        </div>
        <div className={styles.whole}>
          <ChartLoading />
        </div>
      </Example>
    </>
  )
}
