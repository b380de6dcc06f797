/** Validation of receivers of votes. */
import * as v from 'valibot'
import { longest } from '@/lib/text/rules'

/** The default port of listeners. */
export const VOTIFIER_PORT = 8192

const LONGEST = { token: 500, public_key: 4000 }

export interface VotifierWords {
  missing: string
  port: string
}

/**
 * Version 1 needs the listener's key, version 2 its token; automatic detection needs at least one
 * of them.
 */
export const votifierSchema = ({ missing, port }: VotifierWords) =>
  v.pipe(
    v.object({
      host: v.pipe(v.string(), v.trim(), v.nonEmpty(missing), longest(255)),
      port: v.pipe(
        v.nullable(v.number(port)),
        v.check((number) => number !== null && Number.isInteger(number) && number >= 1 && number <= 65_535, port),
        v.transform((number) => number ?? VOTIFIER_PORT),
      ),
      protocol: v.picklist(['auto', 'v2', 'v1']),
      token: v.pipe(v.string(), v.trim()),
      public_key: v.pipe(v.string(), v.trim()),
      is_active: v.boolean(),
    }),
    v.forward(
      v.partialCheck(
        [['protocol'], ['token'], ['public_key']],
        ({ protocol, token, public_key }) =>
          protocol === 'v1' || token !== '' || (protocol === 'auto' && public_key !== ''),
        missing,
      ),
      ['token'],
    ),
    v.forward(
      v.partialCheck(
        [['protocol'], ['public_key']],
        ({ protocol, public_key }) => protocol !== 'v1' || public_key !== '',
        missing,
      ),
      ['public_key'],
    ),
    // Fields that the chosen version does not use are hidden, so they must not be invalid.
    v.forward(
      v.partialCheck(
        [['protocol'], ['token']],
        ({ protocol, token }) => protocol === 'v1' || token.length <= LONGEST.token,
        `tooLong:${LONGEST.token}`,
      ),
      ['token'],
    ),
    v.forward(
      v.partialCheck(
        [['protocol'], ['public_key']],
        ({ protocol, public_key }) => protocol === 'v2' || public_key.length <= LONGEST.public_key,
        `tooLong:${LONGEST.public_key}`,
      ),
      ['public_key'],
    ),
    v.transform((values) => ({
      ...values,
      token: values.token.length <= LONGEST.token ? values.token : '',
      public_key: values.public_key.length <= LONGEST.public_key ? values.public_key : '',
    })),
  )

export type VotifierValues = v.InferOutput<ReturnType<typeof votifierSchema>>

/** The address of a postback has placeholders such as `{nick}`. */
export const webhookSchema = (missing: string, address: string) =>
  v.object({
    url: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(missing),
      longest(2048),
      v.check((url) => /^https?:\/\/[^\s{]+/i.test(url) && URL.canParse(url), address),
    ),
    secret: v.pipe(v.string(), v.trim(), v.nonEmpty(missing), v.minLength(8, 'tooShort:8'), longest(200)),
    format: v.picklist(['json', 'discord', 'postback']),
    is_active: v.boolean(),
  })

export type WebhookValues = v.InferOutput<ReturnType<typeof webhookSchema>>

/** A secret in the format of Standard Webhooks. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
