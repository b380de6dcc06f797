/** The subjects of audit entries, by their names in the database, and the text of each. */
export const SUBJECTS = [
  'servers',
  'profiles',
  'reviews',
  'review_answers',
  'reports',
  'user_warnings',
  'votes',
  'server_events',
  'server_tags',
  'tag_proposals',
  'games',
  'event_types',
  'competitive_events',
  'arcade_spots',
  'payments',
  'prestige_pricing',
  'site_settings',
  'partners',
  'image_runs',
  'ip_bans',
  'refused_nicknames',
  'moderation_marks',
  'server_api_tokens',
  'webhooks',
  'votifier_configs',
] as const
export type Subject = (typeof SUBJECTS)[number]

export const SUBJECT_WORDS = {
  servers: 'servers',
  profiles: 'profiles',
  reviews: 'reviews',
  review_answers: 'reviewAnswers',
  reports: 'reports',
  user_warnings: 'userWarnings',
  votes: 'votes',
  server_events: 'serverEvents',
  server_tags: 'serverTags',
  tag_proposals: 'tagProposals',
  games: 'games',
  event_types: 'eventTypes',
  competitive_events: 'competitiveEvents',
  arcade_spots: 'arcadeSpots',
  payments: 'payments',
  prestige_pricing: 'prestigePricing',
  site_settings: 'siteSettings',
  partners: 'partners',
  image_runs: 'imageRuns',
  ip_bans: 'ipBans',
  refused_nicknames: 'refusedNicknames',
  moderation_marks: 'moderationMarks',
  server_api_tokens: 'serverApiTokens',
  webhooks: 'webhooks',
  votifier_configs: 'votifierConfigs',
} as const satisfies Record<Subject, string>

export const ACTIONS = ['created', 'changed', 'deleted', 'voided'] as const
export type Action = (typeof ACTIONS)[number]

export function subjectOf(kind: string): Subject | null {
  return SUBJECTS.find((subject) => subject === kind) ?? null
}

export function actionOf(action: string): Action {
  return ACTIONS.find((known) => known === action) ?? 'changed'
}
