import { expect, test } from 'vitest'
import {
  answersIn,
  dropWritten,
  questionOf,
  questionOfCalls,
  readWritten,
  takeWritten,
  type Call,
} from './written-rows'

const pageWith = (textContent: string) => ({
  getElementById: (id: string) =>
    id === 'palmares-rows' ? Object.assign(document.createElement('script'), { textContent }) : null,
})

test('query keys ignore URL encoding', () => {
  const question = "servers_public?select=id,games(name)&slug=eq.l'île&order=rank.asc.nullslast"
  expect(questionOf(`http://a.test/rest/v1/${question}`)).toBe(question)
  expect(
    questionOf("/rest/v1/servers_public?select=id%2Cgames%28name%29&slug=eq.l'%C3%AEle&order=rank.asc.nullslast"),
  ).toBe(question)
})

test('written answers are found by query', () => {
  const answers = answersIn(pageWith('[["games?select=id",206,"0-0/1",[{"id":1}]],["other?a=b",200,null,{}]]'))
  expect(answers.get('games?select=id')).toEqual({ status: 206, body: [{ id: 1 }] })
  expect(answers.get('other?a=b')).toEqual({ status: 200, body: {} })
})

test.each(['', 'no json', 'null', '{}', '[1,[2],["a","b"]]'])('a page with %j has no answers', (text) => {
  expect(answersIn(pageWith(text)).size).toBe(0)
})

const SERVER: readonly Call[] = [
  ['from', ['servers']],
  ['select', ['id,  name']],
  ['eq', ['slug', 'any']],
  ['maybeSingle', []],
]

test('written rows are taken only once', () => {
  readWritten(pageWith('[["servers?select=id,name&slug=eq.any",200,null,[{"id":1}]]]'))
  expect(takeWritten(SERVER)).toEqual({ data: { id: 1 }, error: null, status: 200 })
  expect(takeWritten(SERVER)).toBeNull()
})

test('dropped rows are not taken later', () => {
  readWritten(pageWith('[["servers?select=id,name&slug=eq.any",200,null,[]]]'))
  dropWritten()
  expect(takeWritten(SERVER)).toBeNull()
})

test.each<[string, readonly Call[]]>([
  [
    'one that counts',
    [
      ['from', ['servers']],
      ['select', ['id', { count: 'exact' }]],
    ],
  ],
  ['one that is sent', [['rpc', ['vote', { id: 1 }]]]],
  [
    'a call it does not know',
    [
      ['from', ['servers']],
      ['select', ['id']],
      ['like', ['name', 'a%']],
    ],
  ],
])('of %s no question is reckoned', (_, calls) => {
  expect(questionOfCalls(calls)).toBeNull()
})
