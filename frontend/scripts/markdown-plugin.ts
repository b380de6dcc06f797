/**
 * Turns a page of Markdown (`content/<language>/<page>.md`) into an `Article` at build time. Raw
 * HTML, URLs of unknown schemes and images fail the build, so nothing has to be sanitised.
 *
 * Conventions for what GitHub's Markdown has no element for: a quotation that begins with [!NOTE],
 * [!TIP] or [!WARNING] is a callout, a numbered list is a list of steps, and consecutive code
 * blocks are one example in several languages. The line that opens a code block names its language
 * and, after a space, its title.
 */
import { Marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import type { Article, ArticleBlock, ArticleCode, ArticleHeading, CalloutTone } from '../src/components/prose/article'

const ADDRESSES = /^(?:https:\/\/|mailto:|\/(?!\/)|#)/
const CALLOUT = /^\[!(NOTE|TIP|WARNING)\]\s*\n?/
const TONES: Record<string, CalloutTone> = { NOTE: 'note', TIP: 'tip', WARNING: 'warning' }

const LEVELS = [2, 3] as const

export function markdown(): Plugin {
  return {
    name: 'palmares-markdown',
    transform: {
      filter: { id: /\.md$/ },
      handler: (code) => ({ code: `export default ${JSON.stringify(readArticle(code))}`, moduleType: 'js' }),
    },
  }
}

/** Throws for Markdown that is not allowed, and quotes it. */
export function readArticle(text: string): Article {
  const headings: ArticleHeading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const level = LEVELS.find((one) => one === depth)
        if (level === undefined) throw new Error(`Markdown refused: a heading of level ${depth}: ${words}`)
        const heading = { id: idOf(words, headings), text: words, level }
        headings.push(heading)
        return `<h${depth} id="${heading.id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      html({ raw }) {
        throw new Error(`Markdown refused: raw HTML: ${raw}`)
      },
      image({ raw }) {
        throw new Error(`Markdown refused: an image: ${raw}`)
      },
      link({ href, tokens, raw }) {
        if (!ADDRESSES.test(href)) throw new Error(`Markdown refused: a URL of an unknown scheme: ${raw}`)
        const rel = href.startsWith('https:') ? ' rel="noopener"' : ''
        return `<a href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"${rel}>${this.parser.parseInline(tokens)}</a>`
      },
    },
  })
  const [first, ...rest] = marked.lexer(text).filter(({ type }) => type !== 'space')
  if (first?.type !== 'heading' || first.depth !== 1)
    throw new Error('Markdown refused: a page must begin with its title: # Title')
  return { title: String(first.text), headings, blocks: blocksOf(rest, marked) }
}

function blocksOf(tokens: readonly Token[], marked: Marked): ArticleBlock[] {
  const blocks: ArticleBlock[] = []
  for (const token of tokens) {
    const last = blocks.at(-1)
    if (token.type === 'space') continue
    if (isCode(token)) {
      const [, language = '', label = ''] = /^(\S*)\s*(.*)$/.exec(token.lang ?? '') ?? []
      const version: ArticleCode = { language, code: token.text }
      if (last?.kind === 'code' && label === '') last.versions.push(version)
      else blocks.push({ kind: 'code', label: label || language, versions: [version] })
    } else if (isQuote(token) && CALLOUT.test(token.text)) {
      const tone = TONES[CALLOUT.exec(token.text)?.[1] ?? ''] ?? 'note'
      blocks.push({ kind: 'callout', tone, blocks: blocksOf(marked.lexer(token.text.replace(CALLOUT, '')), marked) })
    } else if (isList(token) && token.ordered) {
      blocks.push({ kind: 'steps', steps: token.items.map((item) => blocksOf(item.tokens, marked)) })
    } else {
      // A wide table scrolls; it is focusable so that a keyboard can scroll it.
      const html = marked.parser([token]).replace(/^<table>/, '<table tabindex="0">')
      if (last?.kind === 'html') last.html += html
      else blocks.push({ kind: 'html', html })
    }
  }
  return blocks
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code'
const isQuote = (token: Token): token is Tokens.Blockquote => token.type === 'blockquote'
const isList = (token: Token): token is Tokens.List => token.type === 'list'

/**
 * An id of letters, figures and hyphens, with a number appended where two headings have the same
 * text.
 */
function idOf(words: string, headings: readonly ArticleHeading[]): string {
  const plain = words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const id = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'part'
  const same = headings.filter((heading) => heading.id === id || heading.id.startsWith(`${id}--`)).length
  return same === 0 ? id : `${id}--${same + 1}`
}
