import { expect, it } from 'vitest'
import { youtubeId } from './video'

it.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtube.com/watch?list=x&amp;v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ?t=3', 'dQw4w9WgXcQ'],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/@somebody', null],
  ['https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ', null],
  ['https://youtu.be/"><script>', null],
  ['https://vimeo.com/76979871', null],
  ['javascript:alert(1)', null],
  [null, null],
])('reads %s as %s', (address, id) => {
  expect(youtubeId(address)).toBe(id)
})
