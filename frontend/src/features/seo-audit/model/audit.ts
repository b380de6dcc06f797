/**
 * The server's audit of its pages (`crates/site-pages/src/audit`), and the filter of its results.
 */
import type seoAudit from '../../../../locales/fr/seo-audit.json'
import type { Language } from '@/lib/i18n/languages'

type Rule = keyof (typeof seoAudit)['rules']
export type State = 'error' | 'warning' | 'fine'

export interface Finding {
  rule: Rule
  severity: 'error' | 'warning'
  found: string
  wanted: string
}

export interface Verdict {
  findings: readonly Finding[]
  passed: readonly Rule[]
}

export interface AuditedPage extends Verdict {
  language: Language
  address: string
  status: number
}

export interface Kind {
  /** A page of the registry, or a special case that is audited separately. */
  kind: string
  pages: readonly AuditedPage[]
}

export interface Audit {
  madeAt: string
  counts: { pages: number; errors: number; warnings: number; fine: number }
  site: Verdict
  kinds: readonly Kind[]
}

export const FILTERS = ['all', 'error', 'warning', 'fine'] as const
export type Filter = (typeof FILTERS)[number]

/** The filter in the address. */
export function filterOf(query: URLSearchParams): Filter {
  const filterParameter = query.get('show')
  return FILTERS.find((filter) => filter === filterParameter) ?? 'all'
}

/** The worst severity among the findings. */
export function stateOf({ findings }: Pick<Verdict, 'findings'>): State {
  if (findings.some(({ severity }) => severity === 'error')) return 'error'
  return findings.length > 0 ? 'warning' : 'fine'
}

/** Whether a group has a result that the filter includes. */
export function isShown(verdicts: readonly Verdict[], filter: Filter): boolean {
  if (filter === 'all') return true
  if (filter === 'fine') return verdicts.length > 0 && verdicts.every(({ findings }) => findings.length === 0)
  return verdicts.some(({ findings }) => findings.some(({ severity }) => severity === filter))
}

/** The findings that the filter includes, the worst first. */
export function findingsOf({ findings }: Verdict, filter: Filter): readonly Finding[] {
  const filtered = findings.filter(({ severity }) => filter === 'all' || severity === filter)
  return filtered.toSorted((a, b) => a.severity.localeCompare(b.severity))
}
