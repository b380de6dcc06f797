import { expect, it } from 'vitest'
import { addressOfFailing, addressOfAnomaly, addressOfWaits, overviewOf, waitingAt, type OverviewRow } from './overview'

const row = (fields: Partial<OverviewRow>): OverviewRow => ({
  section: 'waits',
  what: 'report',
  part: '',
  amount: 1,
  usual: null,
  since: null,
  server_id: null,
  server_slug: null,
  server_name: null,
  ...fields,
})
const avalon = { server_id: 'a1', server_slug: 'avalon', server_name: 'Avalon' }

it('counts pending items for each admin page', () => {
  const overview = overviewOf([
    row({ amount: 2, since: '2026-03-01T10:00:00Z' }),
    row({ what: 'appeal', amount: 3 }),
    row({ what: 'payment', amount: 4 }),
  ])
  expect(overview.waits.report).toMatchObject({ amount: 2, since: '2026-03-01T10:00:00Z' })
  expect(overview.waits.proposal).toEqual({ amount: 0, since: null })
  const counted = ['adminModeration', 'adminReports', 'adminServers', 'adminPrestigePayments', 'adminStats'] as const
  expect(counted.map((page) => waitingAt(page, overview))).toEqual([5, 2, 0, 4, 0])
})

it('leaves out what it has no words for', () => {
  const overview = overviewOf([
    row({ what: 'later' }),
    row({ section: 'fails', what: 'report' }),
    row({ section: 'later', what: 'votes' }),
  ])
  expect([overview.fails, overview.odd]).toEqual([[], []])
  expect(Object.values(overview.waits).every(({ amount }) => amount === 0)).toBe(true)
})

it('leads to where each is dealt with', () => {
  const { fails, odd } = overviewOf([
    row({ section: 'fails', what: 'receiver', ...avalon }),
    row({ section: 'fails', what: 'mails' }),
    row({ section: 'fails', what: 'particulars' }),
    row({ section: 'odd', what: 'server', amount: 90, usual: 4, ...avalon }),
    row({ section: 'odd', what: 'refused', part: 'captcha', amount: 90, usual: 4 }),
  ])
  expect(fails.map((one) => addressOfFailing(one, 'fr'))).toEqual(['/admin/webhooks/a1', null, '/admin/settings'])
  expect(odd.map((one) => addressOfAnomaly(one, '2026-03-10', 'fr'))).toEqual([
    '/admin/votes?server=avalon&from=2026-03-10',
    '/admin/stats?range=7',
  ])
  expect(addressOfWaits('appeal', 'fr')).toBe('/admin/moderation?kind=appeal')
  expect(addressOfWaits('payment', 'fr')).toBe('/admin/prestige-payments?state=trouble')
})
