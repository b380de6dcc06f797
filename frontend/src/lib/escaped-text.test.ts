import { describe, expect, it } from 'vitest'
import { cut, decodeEscaped, plainText } from './escaped-text'

describe('stored text', () => {
  it('is decoded exactly once', () => {
    expect(decodeEscaped('Tom &amp; L&#x27;Île &amp;lt;3')).toBe("Tom & L'Île &lt;3")
  })

  it('of a rich description becomes one line without tags', () => {
    expect(plainText('&lt;p&gt;Bonjour&lt;/p&gt;&lt;p&gt;le  &lt;b&gt;monde&lt;/b&gt;&lt;/p&gt;')).toBe('Bonjour le monde')
  })

  it('is cut at a word with an ellipsis, and left alone when short', () => {
    expect(cut('un deux trois quatre', 14)).toBe('un deux trois…')
    expect(cut('court', 12)).toBe('court')
  })
})
