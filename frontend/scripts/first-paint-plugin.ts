/**
 * Puts what the built page asks for in the order in which it is wanted: what the server writes into the page is painted
 * with the style and the fonts it needs, and nothing else is waited for. The sheets of the app stand at the end of the
 * body, where they hold up no painting of what is above them, yet still the script, which draws with them.
 */
import type { Plugin } from 'vite'

const STYLE_SHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g
const SCRIPT = /<(?:script type="module"|link rel="modulepreload")(?= crossorigin)/g
const END_OF_PAGE = '    <!--palmares:data-->'

export function firstPaint(): Plugin {
  return {
    name: 'palmares-first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle)
        const late: string[] = []
        let inlined = ''
        const page = html
          .replaceAll(SCRIPT, (element) => `${element} fetchpriority="low"`)
          .replaceAll(STYLE_SHEET, (link, file: string) => {
            const sheet = bundle[file]
            if (file.startsWith('assets/first-paint-') && sheet?.type === 'asset')
              inlined += `<style>${sheet.source}</style>`
            else late.push(link.trim())
            return ''
          })
          .replace(END_OF_PAGE, [...late.map((link) => `    ${link}`), END_OF_PAGE].join('\n'))
        if (inlined === '' || late.length === 0) throw new Error('the style sheets of the page are not where they were')
        const fonts = files.filter(({ fileName }) => /\/geist-[\w-]{8}\.woff2$/.test(fileName))
        return {
          html: page.replace('</head>', `  ${inlined}\n  </head>`),
          tags: fonts.map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${fileName}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
        }
      },
    },
  }
}
