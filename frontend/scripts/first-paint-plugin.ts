/**
 * Orders the files in the head of the built page: the HTML that the server writes is painted with
 * the styles and fonts it needs, and waits for nothing else. The sheets of the app stand at the end
 * of the body, where they do not block the painting of the HTML above them, but still block the
 * script, which draws with them.
 */
import type { Plugin, Rolldown } from 'vite'

const STYLE_SHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g
const SCRIPT = /<(?:script type="module"|link rel="modulepreload")(?= crossorigin)/g
const END_OF_PAGE = '    <!--palmares:data-->'
const INLINED = /^assets\/first-paint-[\w-]+\.css$/

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
            if (INLINED.test(file) && sheet?.type === 'asset') inlined += `<style>${sheet.source}</style>`
            else late.push(link.trim())
            return ''
          })
          .replace(END_OF_PAGE, [...late.map((link) => `    ${link}`), END_OF_PAGE].join('\n'))
        if (inlined === '' || late.length === 0)
          throw new Error('cannot order the style sheets: the page has no first-paint sheet, or no other sheet')
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
    generateBundle: { order: 'post', handler: removeInlinedSheet },
  }
}

/**
 * Lazily loaded chunks name the style sheets they need; a sheet that is inlined in the page is not
 * fetched again.
 */
function removeInlinedSheet(_: unknown, bundle: Rolldown.OutputBundle): void {
  const inlined = Object.keys(bundle).filter((file) => INLINED.test(file))
  const linked = Object.keys(bundle).find((file) => /^assets\/index-[\w-]+\.css$/.test(file))
  if (inlined.length !== 1 || linked === undefined)
    throw new Error(
      'cannot replace the inlined style sheet: the build has no single first-paint sheet, or no index sheet',
    )
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(inlined[0]!, linked)
}
