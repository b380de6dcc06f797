/** The text keys of security events. */
const KEYS = {
  account_banned: 'accountBanned',
  account_deleted: 'accountDeleted',
  account_unbanned: 'accountUnbanned',
  competitive_event_finished: 'competitiveEventFinished',
  mark_lifted: 'markLifted',
  payment_refunded: 'paymentRefunded',
  refund_settled: 'refundSettled',
  role_changed: 'roleChanged',
  server_created: 'serverCreated',
  server_creation_failed: 'serverCreationFailed',
  votes_voided: 'votesVoided',
} as const

/** The text key of a type; null for a type that a client made up. */
export function eventTypeKey(type: string): (typeof KEYS)[keyof typeof KEYS] | null {
  return Object.hasOwn(KEYS, type) ? KEYS[type as keyof typeof KEYS] : null
}
