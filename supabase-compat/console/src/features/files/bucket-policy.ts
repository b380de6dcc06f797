/** Policies of storage.objects that concern a bucket. */
import type { TFunction } from 'i18next'
import { NEW_POLICY, type PolicyTemplate } from '@/features/tables/policy-templates'
import type { Policy } from '@/postgres/catalog'
import { literal } from '@/postgres/quote'

/** `bucket_id = 'photos'::text`, and the form with a list, as PostgreSQL prints expressions. */
const NAMED = /\bbucket_id = (?:'((?:[^']|'')*)'::text|ANY \(ARRAY\[((?:'(?:[^']|'')*'::text(?:, )?)+)\]\))/g
const NAME = /'((?:[^']|'')*)'::text/g

/**
 * The buckets to which a policy applies; undefined if that is unknown, as for a policy without a
 * name of a bucket. It is better to show one too many beside a bucket than one too few.
 */
export function bucketsOf(policy: Policy): string[] | undefined {
  const expressions = [policy.using, policy.check].filter((text) => text !== null)
  const buckets = new Set<string>()
  for (const text of expressions) {
    const matches = [...text.matchAll(NAMED)]
    if (matches.length === 0 || /\bOR\b|\bNOT\b/.test(text)) return undefined
    for (const [, one, list] of matches) {
      const names = one === undefined ? [...(list ?? '').matchAll(NAME)].map(([, name]) => name ?? '') : [one]
      for (const name of names) buckets.add(name.replaceAll("''", "'"))
    }
  }
  return expressions.length > 0 ? [...buckets] : undefined
}

/** Policies for the files of a bucket. */
export function bucketTemplates(bucket: string, t: TFunction<'files'>): PolicyTemplate[] {
  const inBucket = `bucket_id = ${literal(bucket)}`
  const template = (label: string, change: Partial<PolicyTemplate['draft']>): PolicyTemplate => {
    return { label, draft: { ...NEW_POLICY, name: `${bucket}: ${label}`, ...change } }
  }
  const every = (label: string, condition: string): PolicyTemplate => {
    const both = `${inBucket} and ${condition}`
    return template(label, { command: 'all', using: both, check: both })
  }
  // As a subquery it is evaluated once a statement, not once a file.
  const user = '(select auth.uid())::text'
  return [
    template(t('policies.everybodyReads'), { roles: ['anon', 'authenticated'], using: inBucket }),
    template(t('policies.usersRead'), { using: inBucket }),
    template(t('policies.usersUpload'), { command: 'insert', check: inBucket }),
    every(t('policies.owner'), `owner_id = ${user}`),
    every(t('policies.folder'), `(storage.foldername(name))[1] = ${user}`),
  ]
}
