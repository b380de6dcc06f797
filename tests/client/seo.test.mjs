// Data for search engines, checked by third-party readers: structured data, the sitemap against its schema, and
// translations that link each other; and the site's own audit of them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import Validator from '@adobe/structured-data-validator'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import { load } from 'cheerio'
import { structuredDataTest } from 'structured-data-testing-tool'
import { schemas as types } from 'structured-data-testing-tool/lib/schemas.js'
import { validateXML } from 'xmllint-wasm'

import { startServer } from '../support/server.mjs'
import { FILE_SCHEMA, INDEX_SCHEMA } from '../support/sitemap-schema.mjs'

const CODES = ['en-US', 'es-ES', 'fr-FR', 'x-default']

let server
/** Every file of the sitemap. */
let files

before(async () => {
  server = await startServer({ args: ['--demo'] })
  const index = await read('/sitemap.xml')
  files = await Promise.all(locations(index).map(async (address) => [address, await read(pathOf(address))]))
})
after(() => server?.stop())

async function read(path) {
  const answer = await fetch(server.url + path)
  assert.equal(answer.status, 200, path)
  return answer.text()
}

const locations = (xml) => load(xml, { xml: true })('loc').toArray().map((loc) => load(loc).text())
const pathOf = (address) => {
  const { pathname, search } = new URL(address)
  return pathname + search
}
const translationsOf = (links) => links.map(({ attribs }) => `${attribs.hreflang} ${attribs.href}`).sort()

describe('the sitemap', () => {
  const assertValid = async (xml, schema, name) => {
    const { valid, errors } = await validateXML({ xml: [{ fileName: name, contents: xml }], schema: [schema] })
    assert.ok(valid, `${name}: ${errors.slice(0, 3).map(({ message }) => message).join('; ')}`)
  }

  test('is valid by the protocol’s schema', async () => {
    await assertValid(await read('/sitemap.xml'), INDEX_SCHEMA, 'sitemap.xml')
    assert.ok(files.length >= 2)
    for (const [address, xml] of files) await assertValid(xml, FILE_SCHEMA, pathOf(address))
  })

  test('schema rejects an invalid sitemap', async () => {
    const [, xml] = files[0]
    await assert.rejects(assertValid(xml.replace('<loc>', '<place>').replace('</loc>', '</place>'), FILE_SCHEMA, 'a'))
    await assert.rejects(assertValid(xml.replace('</loc>', '</loc><lastmod>soon</lastmod>'), FILE_SCHEMA, 'b'))
  })

  test('names no page twice', () => {
    const named = files.flatMap(([, xml]) => locations(xml))
    assert.ok(named.length > 300, `${named.length}`)
    assert.equal(new Set(named).size, named.length)
  })
})

test('sitemap pages are canonical and link their translations', async () => {
  const statedTranslations = new Map()
  for (const [, xml] of files) {
    const $ = load(xml, { xml: true })
    for (const url of $('url').toArray()) {
      statedTranslations.set($(url).find('loc').text(), translationsOf($(url).find('[hreflang]').toArray()))
    }
  }
  const seen = new Map()
  const waiting = [...statedTranslations.keys()]
  const visit = async () => {
    for (let address = waiting.pop(); address; address = waiting.pop()) {
      const $ = load(await read(pathOf(address)))
      assert.equal($('link[rel=canonical]').attr('href'), address)
      seen.set(address, translationsOf($('link[rel=alternate][hreflang]').toArray()))
    }
  }
  await Promise.all(Array.from({ length: 8 }, visit))
  for (const [address, translations] of seen) {
    assert.deepEqual(translations.map((line) => line.split(' ')[0]), CODES, address)
    assert.deepEqual(translations, statedTranslations.get(address), `the sitemap says otherwise of ${address}`)
    for (const line of translations) {
      const other = line.split(' ')[1]
      assert.ok(seen.has(other), `${address} names ${other}, which the sitemap does not`)
      assert.deepEqual(seen.get(other), translations, `${other} does not answer ${address}`)
    }
  }
})

describe('structured data', () => {
  /** Each object by itself, because the reader does not read `@graph`. */
  const objectsOf = (html) => {
    const $ = load(html)
    return $('script[type="application/ld+json"]').toArray().flatMap((script) => {
      const { '@context': context, '@graph': graph, ...one } = JSON.parse($(script).text())
      return (graph ?? [one]).map((object) => ({ '@context': context, ...object }))
    })
  }
  const pageOf = (objects) => {
    const scripts = objects.map((object) => `<script type="application/ld+json">${JSON.stringify(object)}</script>`)
    return `<!doctype html><html><head>${scripts.join('')}</head></html>`
  }
  const typesOf = (value) =>
    Object.entries(value ?? {}).flatMap(([key, inner]) =>
      key === '@type' ? [inner].flat() : typeof inner === 'object' ? typesOf(inner) : [],
    )
  /** Errors by the rules of a large search engine; the other reader checks that types exist. */
  const errorsOf = async (objects) => {
    const read = new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(pageOf(objects))
    const issues = await new Validator({ '@graph': [] }).validate(read)
    return issues
      .filter(({ severity, errorType }) => severity === 'ERROR' && errorType !== 'schemaOrg')
      .map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`)
  }
  const missing = async (objects, kinds) => {
    const schemas = kinds.map((kind) => `jsonld:${kind}`)
    // A missing type rejects, with the result of each test in the error.
    const { failed } = await structuredDataTest(pageOf(objects), { schemas, auto: false }).catch((error) => error.res)
    return failed.map(({ group }) => group)
  }

  for (const [path, ...kinds] of [
    ['/', 'WebSite', 'Organization'],
    ['/en/game/minecraft', 'CollectionPage'],
    ['/es/servidores-dofus', 'CollectionPage'],
    ['/serveur/loupgarde', 'GameServer'],
  ]) {
    test(`of ${path} is valid for schema.org`, async () => {
      const objects = objectsOf(await read(path))
      assert.deepEqual(await missing(objects, kinds), [])
      assert.deepEqual(typesOf(objects).filter((type) => !(type in types)), [])
      assert.deepEqual(await errorsOf(objects), [])
    })
  }

  test('that is incomplete or missing is refused', async () => {
    const crumbs = { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem' }] }
    assert.notDeepEqual(await errorsOf([crumbs]), [])
    assert.notDeepEqual(await missing([crumbs], ['GameServer']), [])
    assert.ok(!('Nonsense' in types))
  })
})

describe('the site’s own audit', () => {
  test('reads every kind of page in three languages', async () => {
    const answer = await fetch(`${server.url}/api/seo-audit`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('cache-control'), /max-age=60/)
    const { kinds, site, counts, origin } = await answer.json()
    assert.equal(origin, server.url)
    const pages = (name) => kinds.find(({ kind }) => kind === name).pages
    for (const name of ['home', 'game', 'shortcut', 'server', 'reviewedServer', 'serverById', 'leaderboard', 'privacy'])
      assert.deepEqual(pages(name).map(({ language, status }) => [language, status]), [['fr', 200], ['en', 200], ['es', 200]], name)
    assert.deepEqual(pages('missing').map(({ status }) => status), [404, 404, 404])
    assert.deepEqual(site.findings, [])
    const all = kinds.flatMap((kind) => kind.pages)
    assert.equal(counts.pages, all.length)
    for (const { address, findings } of all.filter(({ status }) => status === 200)) {
      const broken = findings.map(({ rule }) => rule)
      for (const rule of ['status', 'language', 'canonicalThere', 'canonicalOrigin', 'alternatesMutual', 'alternatesMapped', 'ratingReal', 'cardPicture', 'titleOwn', 'descriptionOwn'])
        assert.ok(!broken.includes(rule), `${rule} of ${address}: ${JSON.stringify(findings)}`)
    }
  })

  test('has a text for each of its rules', async () => {
    const { kinds, site } = await (await fetch(`${server.url}/api/seo-audit`)).json()
    const verdicts = [site, ...kinds.flatMap(({ pages }) => pages)]
    const rules = new Set(verdicts.flatMap(({ findings, passed }) => [...findings.map(({ rule }) => rule), ...passed]))
    for (const language of ['fr', 'en', 'es']) {
      const file = new URL(`../../frontend/locales/${language}/seo-audit.json`, import.meta.url)
      const words = JSON.parse(await readFile(file, 'utf8')).rules
      assert.deepEqual([...rules].filter((rule) => !words[rule]), [], language)
    }
    assert.ok(rules.size > 30, `${rules.size}`)
  })

  test('is made once for concurrent requests', async () => {
    const requests = Array.from({ length: 20 }, () => fetch(`${server.url}/api/seo-audit`).then((answer) => answer.json()))
    const made = new Set((await Promise.all(requests)).map(({ madeAt }) => madeAt))
    assert.equal(made.size, 1)
  })
})
