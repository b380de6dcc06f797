/** The reasons of reports; the database has no others. */
export const REPORT_REASONS = [
  'inappropriate_content',
  'spam',
  'fake_server',
  'malicious_content',
  'copyright',
  'other',
] as const

export type ReportReason = (typeof REPORT_REASONS)[number]
