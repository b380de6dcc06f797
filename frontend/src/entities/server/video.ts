import { webAddress } from '@/lib/text/web-address'

const HOSTS = ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com']

/** The id of a YouTube video in an owner's link; null for every other address. */
export function youtubeId(stored: string | null | undefined): string | null {
  const address = webAddress(stored)
  if (address === null) return null
  const url = new URL(address)
  const [, first = '', second = ''] = url.pathname.split('/')
  const id =
    url.hostname === 'youtu.be'
      ? first
      : HOSTS.includes(url.hostname)
        ? ['embed', 'shorts', 'live'].includes(first)
          ? second
          : url.searchParams.get('v')
        : null
  return id !== null && /^[\w-]{6,20}$/.test(id) ? id : null
}
