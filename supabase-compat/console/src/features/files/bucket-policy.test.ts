import { describe, expect, test } from 'vitest'
import type { Policy } from '@/postgres/catalog'
import { bucketsOf, bucketTemplates } from './bucket-policy'

const policy = (using: string | null, check: string | null = null): Policy => {
  return { name: 'p', command: '*', permissive: true, roles: ['public'], using, check }
}

describe('policies of files', () => {
  test('buckets are parsed from PostgreSQL policy expressions', () => {
    expect(bucketsOf(policy("(bucket_id = 'photos'::text)"))).toEqual(['photos'])
    expect(bucketsOf(policy(null, "((bucket_id = 'it''s'::text) AND (owner_id = (auth.uid())::text))"))).toEqual([
      "it's",
    ])
    expect(bucketsOf(policy("(bucket_id = ANY (ARRAY['a'::text, 'b, c'::text]))", "(bucket_id = 'a'::text)"))).toEqual([
      'a',
      'b, c',
    ])
  })

  test('policy without a definite bucket has no buckets', () => {
    for (const using of [
      'true',
      "((bucket_id = 'a'::text) OR (owner_id IS NULL))",
      "(NOT (bucket_id = 'a'::text))",
      "(bucket_id <> 'a'::text)",
      "(bucket_id ~~ 'a%'::text)",
    ])
      expect(bucketsOf(policy(using))).toBeUndefined()
    expect(bucketsOf(policy("(bucket_id = 'a'::text)", 'true'))).toBeUndefined()
    expect(bucketsOf(policy(null))).toBeUndefined()
  })

  test('templates quote the name of the bucket', () => {
    const t = ((key: string) => key) as unknown as Parameters<typeof bucketTemplates>[1]
    const drafts = bucketTemplates("it's", t).map(({ draft }) => draft)
    expect(drafts.map(({ command }) => command)).toEqual(['select', 'select', 'insert', 'all', 'all'])
    for (const { using, check } of drafts) expect(`${using}${check}`).toContain("bucket_id = 'it''s'")
    expect(drafts.at(-1)?.using).toBe(
      "bucket_id = 'it''s' and (storage.foldername(name))[1] = (select auth.uid())::text",
    )
  })
})
