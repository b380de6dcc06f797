// A foreign site with a picture, for tests of copies of pictures from other sites. The server under test needs
// OUTGOING_ALLOWED_HOSTS=127.0.0.1 to reach it.
import { createServer } from 'node:http'

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Serves `/tile.png`, and a page at `/page`. */
export async function startPictureSite() {
  const site = createServer(({ url }, answer) => {
    if (url === '/tile.png') answer.setHeader('content-type', 'image/png').end(PNG)
    else if (url === '/page') answer.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
    else answer.writeHead(404).end()
  })
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${site.address().port}`
  return { picture: `${url}/tile.png`, page: `${url}/page`, stop: () => new Promise((resolve) => site.close(resolve)) }
}
