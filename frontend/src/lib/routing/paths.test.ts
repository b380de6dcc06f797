import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { LANGUAGES, canonicalPath, detectLanguage, gameSlugOf, pageAt, paths, slugify, switchLanguage } from './paths'
import vectors from '../paths.vectors.json'
import { isLanguage } from '@/lib/i18n/languages'

describe('the vectors shared with the server', () => {
  test.each(vectors.detect)(
    '$path with $stored, $document, $browser is in $language',
    ({ path, stored, document, browser, language }) => {
      expect(detectLanguage(path, stored, document, browser)).toBe(language)
    },
  )

  test.each(vectors.redirects)('$path read in $language redirects to $redirect', ({ path, language, redirect }) => {
    if (!isLanguage(language)) throw new Error(`not a language: ${language}`)
    expect(canonicalPath(path, language)).toBe(redirect)
  })

  test.each(vectors.switches)('$path switched to $to is $switched', ({ path, to, switched }) => {
    if (!isLanguage(to)) throw new Error(`not a language: ${to}`)
    expect(switchLanguage(path, to)).toBe(switched)
  })

  test.each(vectors.pages)('at $path stands $page', ({ path, page, params }) => {
    expect(pageAt(path)).toEqual(page === null ? null : { key: page, params })
  })

  test.each(vectors.slugs)('game "$name" has slug "$slug"', ({ name, slug }) => {
    expect(gameSlugOf(name)).toBe(slug)
  })
})

const language = fc.constantFrom(...LANGUAGES)
const word = fc.oneof(
  fc.constantFrom(
    'fr',
    'en',
    'es',
    'games',
    'game',
    'server',
    'serveur',
    'servidor',
    'servers-rust',
    'serveurs-',
    'servidores-wow',
    'EN',
    'Server',
    '6f0c4f6e-3c1f-4a55-9a55-0d6a7d1c2b3e',
  ),
  fc.constantFrom('guide-votifier', 'votifier-guide', 'guia-votifier', 'api-docs', 'admin', 'profile', ''),
  fc.stringMatching(/^[a-zA-Z0-9%._~-]{0,12}$/),
)
const anyPath = fc
  .tuple(fc.array(word, { maxLength: 6 }), fc.constantFrom('/', '//', '\\'), fc.boolean())
  .map(([words, separator, trailing]) => `/${words.join(separator)}${trailing ? '/' : ''}`)
const slug = fc.stringMatching(/^[a-z0-9](-?[a-z0-9]){0,20}$/)

describe('for any path', () => {
  it('redirect leads to a canonical path', () => {
    fc.assert(
      fc.property(anyPath, language, (path, read) => {
        const target = canonicalPath(path, read)
        if (target === null) return
        expect(canonicalPath(target, detectLanguage(target, read))).toBeNull()
      }),
    )
  })

  it('redirect keeps language and origin', () => {
    fc.assert(
      fc.property(anyPath, language, (path, stored) => {
        const read = detectLanguage(path, stored)
        const target = canonicalPath(path, read)
        if (target === null) return
        expect(target).toMatch(/^\/(?![/\\])/)
        // The administration has no prefix: only the stored choice decides there.
        if (!target.startsWith('/admin')) expect(detectLanguage(target, read)).toBe(read)
      }),
    )
  })

  it('switched path is canonical in its language', () => {
    fc.assert(
      fc.property(anyPath, language, (path, to) => {
        const switched = switchLanguage(path, to)
        expect(canonicalPath(switched, to)).toBeNull()
        expect(detectLanguage(switched, to)).toBe(to)
      }),
    )
  })

  it('switching twice is switching once to the last', () => {
    fc.assert(
      fc.property(anyPath, language, language, (path, over, to) => {
        // The English address of a server with such a slug is that of a server by its id.
        fc.pre(!/(serveur|servidor)[/\\]+[0-9a-f]{8}-/i.test(path))
        expect(switchLanguage(switchLanguage(path, over), to)).toBe(switchLanguage(path, to))
      }),
    )
  })
})

describe('built addresses', () => {
  it('are canonical and in their language', () => {
    fc.assert(
      fc.property(language, slug, (lang, name) => {
        for (const path of [
          paths.home(lang),
          paths.server(lang, { slug: name }),
          paths.game(lang, name),
          paths.shortcut(lang, 'wow'),
          paths.votifierGuide(lang),
          paths.apiDocs(lang),
          paths.addServer(lang),
        ]) {
          expect(canonicalPath(path, lang)).toBeNull()
          expect(detectLanguage(path, lang)).toBe(lang)
        }
      }),
    )
  })

  it('of servers fall back to id or home', () => {
    expect(paths.server('es', { slug: 'astra', id: 'x' })).toBe('/es/servidor/astra')
    const id = '6f0c4f6e-3c1f-4a55-9a55-0d6a7d1c2b3e'
    expect(paths.server('es', { slug: null, id })).toBe(`/es/server/${id}`)
    expect(paths.server('fr', { slug: null, id })).toBe(`/fr/server/${id}`)
    expect(paths.server('es', {})).toBe('/es')
  })

  it('of slugs are idempotent and URL safe', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const once = slugify(name)
        expect(once).toMatch(/^(?:[a-z0-9_]+(?:-[a-z0-9_]+)*)?$/)
        expect(slugify(once)).toBe(once)
      }),
    )
  })
})
