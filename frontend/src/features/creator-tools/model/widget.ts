/**
 * The options of a widget, and the code that embeds it on another site. The server parses the same
 * option names and sizes.
 */
import type { Language } from '@/lib/i18n/languages'
import sizes from '@/lib/widgets.json'

export const FORMATS = ['badge', 'button', 'banner'] as const
export const SIZES = ['small', 'medium', 'large'] as const
export const THEMES = ['light', 'dark', 'retro'] as const

export interface Widget {
  server: string
  format: (typeof FORMATS)[number]
  size: (typeof SIZES)[number]
  theme: (typeof THEMES)[number]
  language: Language
  votes: boolean
  rounded: boolean
  animation: boolean
  nickname: string
}

/** Width and height in pixels. */
export function sizeOf({ format, size }: Pick<Widget, 'format' | 'size'>): { width: number; height: number } {
  const [width = 0, height = 0] = sizes[format][size]
  return { width, height }
}

const flag = (on: boolean) => (on ? '1' : '0')

function optionsOf(widget: Widget): [name: string, value: string][] {
  const nickname = widget.nickname.trim()
  return [
    ['format', widget.format],
    ['size', widget.size],
    ['theme', widget.theme],
    ['lang', widget.language],
    ['votes', flag(widget.votes)],
    ['rounded', flag(widget.rounded)],
    ['animation', flag(widget.animation)],
    ...(nickname === '' ? [] : [['nickname', nickname] as [string, string]]),
  ]
}

/** The path of the widget on this site. */
export function widgetPath(widget: Widget): string {
  return `/widget/${widget.server}?${new URLSearchParams(optionsOf(widget)).toString()}`
}

/** The path of the overlay of its server on this site, which OBS shows as a browser source. */
export function overlayPath({ server, language, votes }: Pick<Widget, 'server' | 'language' | 'votes'>): string {
  return `/overlay/${server}?${new URLSearchParams({ lang: language, votes: flag(votes) }).toString()}`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** An opening tag. */
function tag(name: string, attributes: Readonly<Record<string, string | number | true>>): string {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value === true ? attribute : `${attribute}="${escape(String(value))}"`,
  )
  return `<${[name, ...written].join(' ')}>`
}

/**
 * HTML for another page: an iframe with the widget's own color scheme, because browsers give a
 * frame of another scheme an opaque background.
 */
export function iframeCode(widget: Widget, origin: string, title: string): string {
  const attributes = { ...sizeOf(widget), style: 'border:0;max-width:100%;color-scheme:light', loading: 'lazy' }
  return `${tag('iframe', { src: origin + widgetPath(widget), title, ...attributes })}</iframe>`
}

/** HTML for another page: a script that inserts the frame at its own position. */
export function scriptCode(widget: Widget, origin: string, title: string): string {
  const options = [['server', widget.server], ...optionsOf(widget), ['title', title]]
  const data = Object.fromEntries(options.map(([name, value]) => [`data-${name}`, value ?? '']))
  return `${tag('script', { async: true, src: `${origin}/widget.js`, ...data })}</script>`
}

/** The options that an image supports. */
const OF_PICTURES = ['size', 'theme', 'lang', 'votes', 'rounded']

/** HTML for places that accept images only; it links to the server's page. */
export function pictureCode(widget: Widget, origin: string, title: string, page: string): string {
  const options = new URLSearchParams(optionsOf(widget).filter(([name]) => OF_PICTURES.includes(name)))
  const picture = tag('img', { src: `${origin}/widget/${widget.server}.svg?${options.toString()}`, alt: title })
  return `${tag('a', { href: page })}${picture}</a>`
}
