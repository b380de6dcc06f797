/** The reasons one can report for, and what a report must have. */

export const REASONS = [
  'inappropriate_content',
  'spam',
  'fake_server',
  'malicious_content',
  'copyright',
  'other',
] as const

export type Reason = (typeof REASONS)[number]

export const MAX_CUSTOM = 500

export type ReportProblem = 'reason' | 'custom' | 'long'

export function isReason(value: unknown): value is Reason {
  return REASONS.some((reason) => reason === value)
}

/** What is missing, or null. Only another reason than the listed ones has to be explained. */
export function reportProblem(reason: Reason | null, custom: string): ReportProblem | null {
  if (reason === null) return 'reason'
  if (reason !== 'other') return null
  const length = [...custom.trim()].length
  if (length === 0) return 'custom'
  return length > MAX_CUSTOM ? 'long' : null
}
