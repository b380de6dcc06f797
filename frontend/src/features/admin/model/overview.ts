/** The result of `get_admin_overview`, sorted, with the page where each item is handled. */
import type { Language } from '@/lib/i18n/languages'
import type { PageKey } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'

/**
 * Kinds of pending tasks, in the order in which they are shown; the first five are cases for
 * moderators.
 */
const CASES = ['report', 'appeal', 'server', 'edit', 'review'] as const
export const WAITS = [...CASES, 'proposal', 'payment'] as const
const FAILS = ['receiver', 'mails', 'lost', 'figures', 'days', 'particulars', 'registration'] as const
const ODD = ['refused', 'votes', 'server', 'accounts', 'servers', 'reports', 'undelivered'] as const

export type QueueKind = (typeof WAITS)[number]
type FailureKind = (typeof FAILS)[number]
export type AnomalyKind = (typeof ODD)[number]

interface Finding {
  amount: number
  since: string | null
  server: { id: string; slug: string; name: string } | null
}
export interface FailureFinding extends Finding {
  what: FailureKind
}
export interface AnomalyFinding extends Finding {
  what: AnomalyKind
  /** The reason, where the count is split by reason. */
  part: string
  usual: number
}

export interface Overview {
  waits: Record<QueueKind, { amount: number; since: string | null }>
  fails: FailureFinding[]
  odd: AnomalyFinding[]
}

/** A row of the procedure: the generated type does not know which columns may be null. */
export interface OverviewRow {
  section: string
  what: string
  part: string
  amount: number
  usual: number | null
  since: string | null
  server_id: string | null
  server_slug: string | null
  server_name: string | null
}

const NOTHING = { amount: 0, since: null }

/** Kinds that are unknown here have no text and are omitted. */
export function overviewOf(rows: readonly OverviewRow[]): Overview {
  const of = <What extends string>(section: string, known: readonly What[]) =>
    rows.flatMap((row) => {
      const what = known.find((one) => one === row.what)
      return row.section === section && what !== undefined ? [{ ...findingOf(row), what }] : []
    })
  const waits = of('waits', WAITS)
  return {
    waits: Object.fromEntries(
      WAITS.map((kind) => [kind, waits.find(({ what }) => what === kind) ?? NOTHING]),
    ) as Overview['waits'],
    fails: of('fails', FAILS),
    odd: of('odd', ODD),
  }
}

function findingOf({ part, amount, usual, since, server_id: id, server_slug: slug, server_name: name }: OverviewRow) {
  const server = id !== null && slug !== null && name !== null ? { id, slug, name } : null
  return { part, amount, usual: usual ?? 0, since, server }
}

/** The number of pending tasks on a page of the administration. */
export function waitingAt(page: PageKey, { waits }: Overview): number {
  switch (page) {
    case 'adminModeration':
      return CASES.reduce((sum, kind) => sum + waits[kind].amount, 0)
    case 'adminReports':
      return waits.report.amount
    case 'adminServers':
      return waits.server.amount
    case 'adminTagProposals':
      return waits.proposal.amount
    case 'adminPrestigePayments':
      return waits.payment.amount
    default:
      return 0
  }
}

/** The page where such a task is decided. */
export function addressOfWaits(what: QueueKind, language: Language): string {
  if (what === 'proposal') return paths.adminTagProposals(language)
  if (what === 'payment') return `${paths.adminPrestigePayments(language)}?state=trouble`
  return `${paths.adminModeration(language)}?kind=${what}`
}

/** The page where a failure is handled; null for failures of the operator's machine. */
export function addressOfFailing({ what, server }: FailureFinding, language: Language): string | null {
  if (what === 'receiver') return server && paths.adminWebhooks(language, { serverId: server.id })
  return what === 'particulars' || what === 'registration' ? paths.adminSettings(language) : null
}

/** The page where an anomaly is examined. */
export function addressOfAnomaly({ what, server }: AnomalyFinding, today: string, language: Language): string {
  switch (what) {
    case 'server':
      return `${paths.adminVotes(language)}?${new URLSearchParams({ server: server?.slug ?? '', from: today })}`
    case 'accounts':
      return paths.adminUsers(language)
    case 'servers':
      return paths.adminServers(language)
    case 'reports':
      return paths.adminReports(language)
    default:
      return `${paths.adminStats(language)}?range=7`
  }
}
