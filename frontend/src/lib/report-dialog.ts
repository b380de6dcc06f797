/** What is being reported: asked for by cards, server pages and reviews, drawn by the report feature. */
import { createStore, useStore } from './store'

export type ReportTarget = { kind: 'server'; id: string; name: string } | { kind: 'review'; id: string; name: string }

const target = createStore<ReportTarget | null>(null)

export function openReportDialog(what: ReportTarget): void {
  target.set(what)
}

export function closeReportDialog(): void {
  target.set(null)
}

export function useReportDialog(): ReportTarget | null {
  return useStore(target)
}
