import { readdirSync, readFileSync } from 'node:fs'
import { launch, DESKTOP, PHONE } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'
const server = await startServer({ args: ['--demo'] })
const EFFECTS = '*,*::before,*::after{backdrop-filter:none!important;filter:none!important;box-shadow:none!important;text-shadow:none!important}'
const MORE = EFFECTS + '*,*::before,*::after{background-image:none!important;mask:none!important;border-radius:0!important}'
const ANIM = EFFECTS + '*,*::before,*::after{animation:none!important;transition:none!important}'
const SVG = ANIM + 'img,picture,svg{display:none!important}'
function tree(root) {
  const kids = new Map(); const cpu = new Map()
  for (const d of readdirSync('/proc')) if (/^\d+$/.test(d)) try { const f = readFileSync(`/proc/${d}/stat`, 'utf8'); const r = f.slice(f.lastIndexOf(') ') + 2).split(' '); kids.set(+r[1], [...(kids.get(+r[1]) ?? []), +d]); cpu.set(+d, [+r[11] + +r[12], readFileSync(`/proc/${d}/cmdline`, 'utf8').match(/--type=([a-z-]+)/)?.[1] ?? 'browser']) } catch {}
  const out = {}; const walk = (p) => { const c = cpu.get(p); if (c) out[c[1]] = (out[c[1]] ?? 0) + c[0]; for (const k of kids.get(p) ?? []) walk(k) }
  walk(root); return out
}
const variants = { plain: '', effects: EFFECTS, more: MORE, anim: ANIM, svg: SVG }
const path = process.argv[2] ?? '/'
const res = {}
for (let round = 0; round < 3; round++) for (const [name, css] of Object.entries(variants)) {
  const browser = await launch()
  const pid = +readdirSync('/proc').find((d) => { try { const c = readFileSync(`/proc/${d}/stat`, 'utf8'); return c.includes('headless_shell') && c.slice(c.lastIndexOf(') ')+2).split(' ')[1] == process.pid } catch { return false } }) || process.pid
  const sum = {}
  const before = tree(process.pid)
  for (let i = 0; i < 5; i++) {
    const context = await browser.newContext({ baseURL: server.url, viewport: DESKTOP, reducedMotion: 'reduce', locale: 'fr-FR' })
    if (css) await context.addInitScript((css) => { const s = new CSSStyleSheet(); s.replaceSync(css); document.adoptedStyleSheets = [s] }, css)
    const page = await context.newPage()
    await page.goto(path); await page.locator('h1').first().waitFor()
    await page.waitForTimeout(1500)
    const now = tree(process.pid)
    sum.renderer = (sum.renderer ?? 0) + (now.renderer ?? 0)
    await context.close()
  }
  const after = tree(process.pid)
  const gpu = (after['gpu-process'] ?? 0) - 0
  ;(res[name] ??= []).push(`r${(sum.renderer / 5 * 10).toFixed(0)} g${(gpu / 5 * 10).toFixed(0)}`)
  await browser.close()
}
console.log(path, res)
await server.stop()
