import { expect, it } from 'vitest'
import { operationsOf, requestOf, type OpenApiDocument } from './openapi'

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/': { get: { summary: 'This document' } },
    '/song list': {
      get: { parameters: [{ $ref: '#/parameters/rowFilter.songs.id' }, { $ref: '#/parameters/preferCount' }] },
      post: { parameters: [{ $ref: '#/parameters/body.songs' }, { $ref: '#/parameters/absent' }] },
    },
  },
  parameters: {
    'rowFilter.songs.id': { name: 'id', in: 'query', type: 'string', format: 'bigint' },
    preferCount: { name: 'Prefer', in: 'header', enum: ['count=none'] },
    'body.songs': { name: 'songs', in: 'body', schema: { $ref: '#/definitions/songs' } },
  },
  definitions: {
    songs: {
      properties: {
        id: { type: 'integer' },
        title: { type: 'string' },
        tags: { type: 'array' },
        mood: { enum: ['a'] },
      },
    },
  },
}

it('returns operations with parameters and an example body', () => {
  const [root, get, post] = operationsOf(DOCUMENT)
  expect([root?.id, get?.id, post?.id]).toEqual(['get /', 'get /song list', 'post /song list'])
  expect(get?.parameters.map(({ name }) => name)).toEqual(['id', 'Prefer'])
  expect(get?.body).toBeNull()
  expect(JSON.parse(post?.body ?? '')).toEqual({ id: 0, title: '', tags: [], mood: 'a' })
})

it('sends each parameter in its location', () => {
  const operation = operationsOf(DOCUMENT)[1]!
  const request = requestOf({
    operation,
    values: { id: 'eq.1&x', Prefer: 'count=exact', other: 'z' },
    body: '',
    caller: { kind: 'anon' },
  })
  expect(request.url).toBe('/console/api/services/rest/v1/song%20list?id=eq.1%26x')
  expect(request.options).toEqual({
    method: 'GET',
    headers: { prefer: 'count=exact', 'x-console-role': 'anon' },
    body: undefined,
  })
})
