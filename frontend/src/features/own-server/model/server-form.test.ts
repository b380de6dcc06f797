import * as v from 'valibot'
import { expect, it } from 'vitest'
import { isServerAddress } from './server-address'
import { EMPTY, addSchema, columnsOf, picturesLeft, valuesOf, type EditableRow } from './server-form'

const WORDS = { name: 'the name', address: 'the address', video: 'the video' }
const schema = addSchema(WORDS)
const GOOD = { ...EMPTY, name: 'Loupgarde', game_id: 'g' }

function problems(values: object): (string | undefined)[] {
  const found = v.safeParse(schema, { ...GOOD, ...values })
  return found.success ? [] : found.issues.map(({ message }) => message)
}

it.each(['1.2.3.4', '255.255.255.255:65535', 'mc.example', 'localhost:1', 'a', 'play-1.example.net:25565'])(
  'takes %s for an address',
  (address) => expect(isServerAddress(address)).toBe(true),
)

it.each(['256.1.1.1', '1.2.3.4:', '1.2.3.4:123456', '-a', 'a-', 'http://a.b', 'a b', 'ä.example', 'a:b', ''])(
  'takes %j for none',
  (address) => expect(isServerAddress(address)).toBe(false),
)

it('requires a name and a game', () => {
  expect(problems({})).toEqual([])
  expect(problems({ name: '  a  b ' })).toEqual([])
  for (const name of ['', '  ab ', 'x'.repeat(101)]) expect(problems({ name })).toEqual(['the name'])
  expect(problems({ game_id: '' })).toEqual(['choice'])
  expect(problems({ ip_address: '1.2.3' })).toEqual([])
  expect(problems({ ip_address: '1.2.3.400' })).toEqual(['the address'])
  expect(problems({ description: 'x'.repeat(10_001) })).toEqual(['tooLong:10000'])
  expect(problems({ video_url: 'https://vimeo.com/1' })).toEqual(['the video'])
  expect(problems({ video_url: 'https://youtu.be/dQw4w9WgXcQ' })).toEqual([])
})

const ROW: EditableRow = {
  ...EMPTY,
  name: 'Loup &amp; &lt;Garde&gt;',
  game_id: 'g',
  ip_address: 'N/A',
  version: null,
  description: 'One &lt; **two**\n\nlines\n*of* text',
  website_url: null,
  discord_url: null,
  logo_image_url: '/logo.webp',
  banner_image_url: null,
  description_image_url: null,
  backdrop_url: null,
  video_url: null,
  custom_color: null,
}

it('converts stored rows into editor values', () => {
  expect(valuesOf(ROW)).toMatchObject({
    name: 'Loup & <Garde>',
    ip_address: '',
    version: '',
    description: '<p>One &lt; <strong>two</strong></p><p>lines<br><em>of</em> text</p>',
    logo_image_url: '/logo.webp',
    custom_color: '',
  })
  expect(valuesOf({ ...ROW, description: '&lt;p&gt;Hi&lt;/p&gt;' }).description).toBe('<p>Hi</p>')
})

it('writes nothing where nothing was written', () => {
  expect(columnsOf({ name: 'A', version: '', description: '', logo_image_url: '', ip_address: '' })).toEqual({
    name: 'A',
    version: null,
    description: '',
    logo_image_url: null,
    ip_address: '',
  })
})

it('knows which pictures nothing shows any more', () => {
  const before = { logo_image_url: '/a', banner_image_url: '/b', backdrop_url: '' }
  expect(picturesLeft(before, { logo_image_url: '/c' })).toEqual(['/a'])
  expect(picturesLeft(before, { logo_image_url: '/b', banner_image_url: '/a' })).toEqual([])
})
