import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  atMost,
  colour,
  email,
  isWebAddress,
  longest,
  moment,
  oneOf,
  oneTimeCode,
  optionalText,
  optionalWebAddress,
  requiredText,
  shortest,
  webAddress,
  wholeNumber,
} from './rules'

const NAMES = ['ada', 'grace'] as const
const RULES = {
  required: requiredText(5),
  optional: optionalText(5),
  short: v.pipe(v.string(), shortest(3)),
  long: v.pipe(v.string(), longest(3)),
  email: email(),
  address: webAddress(30),
  maybeAddress: optionalWebAddress(30),
  moment: moment({ from: '2026-11-01T00:00:00Z', until: '2026-11-30T00:00:00Z' }),
  whole: wholeNumber({ min: 1, max: 10 }),
  colour: colour(),
  code: oneTimeCode(),
  few: v.pipe(v.array(v.string()), atMost(2)),
  choice: oneOf(NAMES),
} satisfies Record<string, v.GenericSchema>

const judge = (rule: keyof typeof RULES, value: unknown) => {
  const judged = v.safeParse(RULES[rule] as v.GenericSchema, value)
  return judged.success ? { is: judged.output } : { problem: judged.issues[0].message }
}

it.each([
  ['required', ' Ada ', 'Ada'],
  ['required', '😀😀😀😀😀', '😀😀😀😀😀'],
  ['optional', '   ', ''],
  ['short', '😀😀😀', '😀😀😀'],
  ['email', ' ada@example.org ', 'ada@example.org'],
  ['email', 'a+b@sub.example.co', 'a+b@sub.example.co'],
  ['address', ' https://a.example ', 'https://a.example'],
  ['address', 'HTTP://A.EXAMPLE/x?y#z', 'HTTP://A.EXAMPLE/x?y#z'],
  ['maybeAddress', '', ''],
  ['moment', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ['moment', '2026-11-30T01:00:00+01:00', '2026-11-30T01:00:00+01:00'],
  ['whole', 10, 10],
  ['colour', '#8b5CF6', '#8b5CF6'],
  ['code', '0123456789', '0123456789'],
  ['few', ['a', 'b'], ['a', 'b']],
  ['choice', 'grace', 'grace'],
] as const)('%s takes %j', (rule, value, output) => {
  expect(judge(rule, value)).toEqual({ is: output })
})

it.each([
  ['required', ' ', 'required'],
  ['required', 'abcdef', 'tooLong:5'],
  ['optional', 'abcdef', 'tooLong:5'],
  ['short', 'é'.normalize('NFC') + 'a', 'tooShort:3'],
  ['long', '😀😀😀😀', 'tooLong:3'],
  ['email', '', 'required'],
  ['email', 'ada@example', 'email'],
  ['email', 'ada@@example.org', 'email'],
  ['email', 'ada@example.', 'email'],
  ['address', '', 'required'],
  ['address', 'example.org', 'webAddress'],
  ['address', 'ftp://example.org', 'webAddress'],
  ['address', 'javascript:alert(1)//a.b', 'webAddress'],
  ['address', 'https://localhost', 'webAddress'],
  ['address', 'https://a b.example', 'webAddress'],
  ['maybeAddress', `https://a.example/${'x'.repeat(30)}`, 'tooLong:30'],
  ['moment', '', 'required'],
  ['moment', 'tomorrow', 'moment'],
  ['moment', '2026-10-31T23:59:59Z', 'tooEarly'],
  ['moment', '2026-11-30T00:00:01Z', 'tooLate'],
  ['whole', null, 'number'],
  ['whole', Number.NaN, 'number'],
  ['whole', 1.5, 'whole'],
  ['whole', 0, 'tooSmall:1'],
  ['whole', 11, 'tooLarge:10'],
  ['colour', '#8B5CF', 'colour'],
  ['colour', 'red', 'colour'],
  ['code', '12345', 'code'],
  ['code', '12 345 6', 'code'],
  ['few', ['a', 'b', 'c'], 'tooMany:2'],
  ['choice', '', 'choice'],
  ['choice', 'constructor', 'choice'],
] as const)('%s refuses %j as %s', (rule, value, problem) => {
  expect(judge(rule, value)).toEqual({ problem })
})

it('uses the message that the caller gives', () => {
  expect(v.safeParse(requiredText(5, 'Say who.'), '').issues?.[0].message).toBe('Say who.')
  expect(v.safeParse(oneOf(NAMES, 'Pick one.'), 'x').issues?.[0].message).toBe('Pick one.')
})

it.each(['https://', 'https://.', 'http://[::1', 'https://a.example\n.b'])('knows that %j leads nowhere', (text) => {
  expect(isWebAddress(text)).toBe(false)
})
