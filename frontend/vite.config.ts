import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { CHUNKS } from './scripts/chunks.ts'
import { classNames } from './scripts/class-names-plugin.ts'
import { firstLoad } from './scripts/first-load-plugin.ts'
import { firstPaint } from './scripts/first-paint-plugin.ts'
import { markdown } from './scripts/markdown-plugin.ts'
import { pageModules } from './scripts/page-modules-plugin.ts'
import { styleSheets } from './scripts/style-layers-plugin.ts'
import { symbols } from './scripts/symbols-plugin.ts'
import { texts } from './scripts/texts-plugin.ts'

// The API the development server passes requests to; a running `palmares serve`.
const backend = process.env.PALMARES_BACKEND ?? 'http://127.0.0.1:8000'

const alias = { '@': fileURLToPath(new URL('./src', import.meta.url)) }

export default defineConfig({
  plugins: [
    react(),
    styleSheets(),
    classNames(),
    markdown(),
    routerOfProduction(),
    developmentConfig(),
    pageModules(),
    symbols(),
    firstPaint(),
    texts(),
    firstLoad(),
  ],
  resolve: { alias },
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  build: {
    target: 'es2022',
    // Fonts stay files of their own: inlined they would be downloaded by everyone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // A class that its sheet does not have would be no class at all.
      onLog: (level, log, handle) => handle(log.code === 'IMPORT_IS_UNDEFINED' ? 'error' : level, log),
      // Every page names what it may fetch: 42 bits of a hash tell releases apart as well.
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(
        [
          '/auth/v1',
          '/rest/v1',
          '/functions/v1',
          '/storage/v1',
          '/pictures',
          '/widget',
          '/overlay',
          '/live.js',
          '^/servers/',
        ].map((path) => [path, backend]),
      ),
      '/realtime/v1': { target: backend, ws: true },
    },
  },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://palmares.test/' } },
    setupFiles: ['src/test-setup.ts'],
    pool: 'threads',
    projects: [
      // Files share a thread's document and packages; the set-up takes back what a test left in them.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['src/**/*.test.{ts,tsx}'], exclude: replacing() },
      },
      // A module that a file replaces outlives the file: such a file has a thread of its own.
      { extends: true, test: { name: 'alone', include: replacing() } },
    ],
    // Nothing here is about time: a slow machine is no failure.
    testTimeout: 60_000,
    css: { include: [/tokens\.css/], modules: { classNameStrategy: 'non-scoped' } },
  },
})

/** The tests that replace modules. */
function replacing(): string[] {
  const source = fileURLToPath(new URL('./src', import.meta.url))
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path) && readFileSync(`${source}/${path}`, 'utf8').includes('vi.mock('))
    .map((path) => `src/${path}`)
}

/**
 * The router's package names its development build for everybody; its other one is without what it warns of. And it does
 * not say that making a component has no effect, nor naming it: with that said, a build leaves out those nobody draws.
 */
function routerOfProduction(): Plugin {
  const build = fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url))
  return {
    name: 'palmares-router-of-production',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement: build }] } }),
    transform: {
      filter: { id: /\/react-router\/dist\/production\/.*\.mjs$/ },
      handler: (code) =>
        code
          .replaceAll(/^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm, '$1/* @__PURE__ */ $2')
          .replaceAll(/^\w+\.displayName = "\w+";$/gm, ''),
    },
  }
}

/** Writes the settings the server writes into the page in production. Does nothing in a build. */
function developmentConfig(): Plugin {
  return {
    name: 'palmares-development-config',
    apply: 'serve',
    transformIndexHtml(html) {
      const settings = {
        url: '',
        anonKey: process.env.ANON_KEY ?? '',
        captcha: 'altcha',
        timezone: 'Europe/Paris',
        voteCooldownSeconds: 7200,
      }
      const script = `<script type="application/json" id="palmares-config">${JSON.stringify(settings)}</script>`
      return html.replace('<!--palmares:config-->', script)
    },
  }
}
