import { expect, test } from 'vitest'
import { answersIn, questionOf } from './written-rows'

const pageWith = (textContent: string) => ({
  getElementById: (id: string) =>
    id === 'palmares-rows' ? Object.assign(document.createElement('script'), { textContent }) : null,
})

test('a question reads the same however it was encoded', () => {
  const question = "servers_public?select=id,games(name)&slug=eq.l'île&order=rank.asc.nullslast"
  expect(questionOf(`http://a.test/rest/v1/${question}`)).toBe(question)
  expect(
    questionOf("/rest/v1/servers_public?select=id%2Cgames%28name%29&slug=eq.l'%C3%AEle&order=rank.asc.nullslast"),
  ).toBe(question)
})

test('what the server has written is found by its question', () => {
  const answers = answersIn(pageWith('[["games?select=id",206,"0-0/1",[{"id":1}]],["other?a=b",200,null,{}]]'))
  expect(answers.get('games?select=id')).toEqual({ status: 206, range: '0-0/1', body: [{ id: 1 }] })
  expect(answers.get('other?a=b')).toEqual({ status: 200, range: null, body: {} })
})

test.each(['', 'no json', 'null', '{}', '[1,[2],["a","b"]]'])('a page with %j in it knows no answers', (text) => {
  expect(answersIn(pageWith(text)).size).toBe(0)
})
