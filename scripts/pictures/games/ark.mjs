// ARK: dinosaurs by a river and a lit obelisk above the jungle.
import { polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, motes, outline, peak, sky, stars, streaks, water } from '../landscape.mjs'
import { palm, silhouette, tree } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'ark'

export function backdrop(c) {
  sky(c, '#15184a', '#43408c', ['#b06aa0', 0.48], ['#ffb884', 0.66], '#ffe0a8')
  stars(c, 110, 380)
  glow(c, 560, 640, 640, '#ffd08a', 0.7)
  c.circle(560, 620, 74, '#fff2c9')
  streaks(c, 12, 220, 500, '#ffc6a6', 0.3)
  const stone = { lit: '#8a6aa0', shade: '#5c4a86', foot: '#d99a9a' }
  for (const [x, y, w] of [[180, 430, 320], [900, 500, 260], [1760, 400, 340]]) peak(c, x, y, 780, w, stone)
  mist(c, 690, 200, '#ffd3ae', 0.55)
  land(c, outline(c, 690, 70, { swell: 2 }), c.verticalBetween(610, 830, '#56609a', '#c99a9c'))
  // The obelisk hangs over its island of rock.
  glow(c, 1330, 430, 520, '#69f0ff', 0.42)
  c.shape('M1322 0h16v170h-16z', c.vertical(['#9ff6ff', 0, 0], ['#c9fbff', 1, 0.9]))
  c.shape(polygon([[1330, 120], [1392, 250], [1360, 700], [1330, 750], [1300, 700], [1268, 250]]), '#39436f')
  c.shape(polygon([[1330, 120], [1392, 250], [1360, 700], [1330, 750]]), '#22284f')
  c.shape(polygon([[1330, 120], [1300, 250], [1312, 690], [1330, 750]]), '#56659c')
  c.shape('M1326 190l8 0 4 60-8 20-8-20zM1326 330l8 0 3 90-7 16-7-16zM1327 500l6 0 3 90-6 16-6-16z', '#a6fbff')
  c.line('M1284 300l34 12v46l-26-8M1376 300l-34 12v46l26-8M1292 470l26 8v40l-20-6M1370 470l-28 8v40l22-6', '#69f0ff', 4, 'opacity=".85"')
  land(c, outline(c, 760, 40, { swell: 2.1 }), c.verticalBetween(700, 900, '#2f6a70', '#6f8f80'))
  for (const [x, h] of [[1120, 150], [1210, 120], [1440, 150], [1530, 180], [700, 110], [790, 130]]) tree(c, x, 800, h, { trunk: '#27505c', leaf: '#2f7f70' })
  haze(c, 680, 880, '#ffce9c', 0.32)
  water(c, 850, c.vertical('#e8a48c', '#2d3a6a'), '#ffeecb', { x: 560, width: 340, count: 50, opacity: 0.55, floor: 980 })
  c.shape('M1318 852h24l16 110h-56z', '#8ff6ff', 'opacity=".35"')
  silhouette(c, 'sauropod', 760, 884, -330, '#2b3a5c')
  silhouette(c, 'sauropod', 950, 872, -200, '#3c4c70')
  silhouette(c, 'pterosaur', 940, 300, 210, '#2a2a5c')
  silhouette(c, 'pterosaur', 1100, 220, 120, '#3b3a70')
  silhouette(c, 'pterosaur', 380, 330, -110, '#4a3f78')
  const bank = land(c, outline(c, 940, 34, { swell: 1.2 }), c.verticalBetween(890, 1080, '#153f48', '#0a1a24'))
  silhouette(c, 'rex', 1560, bank[20][1] + 10, -360, '#0f2a35')
  palm(c, 120, 970, 520, { trunk: '#0e2731', leaf: '#12404a', under: '#0f343e', lean: 0.14 })
  palm(c, 300, 980, 360, { trunk: '#0e2731', leaf: '#12404a', under: '#0f343e', lean: -0.1 })
  palm(c, 1850, 970, 560, { trunk: '#0c212b', leaf: '#103841', under: '#0d2d37', lean: -0.12 })
  // Ferns along the front.
  let ferns = ''
  for (let i = 0; i < 26; i += 1) {
    const x = Math.round(i * 76 + c.random.between(-20, 20))
    for (const [dx, dy] of [[-54, -40], [-26, -70], [6, -80], [36, -62], [58, -34]]) ferns += `M${x} 1010q${Math.round(dx * 0.3)} ${Math.round(dy * 1.1)} ${dx} ${dy}q${Math.round(-dx * 0.4)} ${Math.round(-dy * 0.1)} ${-dx + 6} ${-dy}`
  }
  c.shape(ferns, '#0c2a33')
  birds(c, 820, 430, 5, '#3a3468', 13)
  motes(c, 80, [420, 1000], '#9ff6e0', { opacity: 0.7 })
  finish(c, '#090b1a')
}

export const logo = () =>
  badge(
    ['#2fc4c0', '#2a1f66'],
    fill('M14 78 Q48 58 82 78 L82 84H14z', '#160f3d') +
      fill('M48 10 60 28 55 72H41L36 28z', '#efffff') +
      fill('M48 10 60 28 55 72h-7z', '#8fb8d9') +
      fill('M48 24l4 10-4 12-4-12zM48 50l3 8-3 8-3-8z', '#19d6e0') +
      fill('M14 62c6-10 18-16 30-14l4 4-10 2c-4 8-12 12-24 8z', '#ffb45a') +
      fill('M82 62c-6-10-18-16-30-14l-4 4 10 2c4 8 12 12 24 8z', '#e0803a'),
  )
