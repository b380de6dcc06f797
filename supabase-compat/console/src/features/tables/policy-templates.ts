/** Common policies, as drafts of the form. */
import type { TFunction } from 'i18next'
import type { Relation } from '@/postgres/catalog'
import { identifier } from '@/postgres/quote'
import type { PolicyDraft } from './definition'

export interface PolicyTemplate {
  label: string
  draft: PolicyDraft
}

export const NEW_POLICY: PolicyDraft = {
  name: '',
  command: 'select',
  isPermissive: true,
  roles: ['authenticated'],
  using: '',
  check: '',
}

/** Templates for a table: who reads, and who owns rows. */
export function tableTemplates(relation: Relation, t: TFunction<'tables'>): PolicyTemplate[] {
  const owner = relation.columns.find(
    ({ name, base }) => base === 'uuid' && /^(user_id|owner|owner_id|author|author_id|profile_id)$/.test(name),
  )
  const template = (name: string, change: Partial<PolicyDraft>): PolicyTemplate => {
    return { label: name, draft: { ...NEW_POLICY, name, ...change } }
  }
  // As a subquery it is evaluated once a statement, not once a row.
  const ownerCondition = owner ? `(select auth.uid()) = ${identifier(owner.name)}` : ''
  return [
    template(t('policy.everybodyReads'), { roles: ['anon', 'authenticated'], using: 'true' }),
    template(t('policy.usersRead'), { using: 'true' }),
    ...(ownerCondition
      ? [template(t('policy.ownRows'), { command: 'all', using: ownerCondition, check: ownerCondition })]
      : []),
  ]
}
