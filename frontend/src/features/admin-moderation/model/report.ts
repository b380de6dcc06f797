/** The states of reports; the database has no others. */
import { REPORT_REASONS } from '@/entities/report/reasons'

export const REPORT_STATES = ['pending', 'resolved', 'dismissed'] as const

export const reportReasonOf = (text: string) => REPORT_REASONS.find((reason) => reason === text) ?? 'other'
export const reportStateOf = (text: string) => REPORT_STATES.find((state) => state === text) ?? 'pending'
