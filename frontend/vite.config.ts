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

// The API to which the development server forwards requests; a running `palmares serve`.
const backend = process.env.PALMARES_BACKEND ?? 'http://127.0.0.1:8000'

// Tests expect dates as they are written in this time zone, wherever they run. Threads take it from the process.
if (process.env.VITEST) process.env.TZ = 'UTC'

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
    // Fonts stay separate files: inlined they would be downloaded by everybody.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // A class that a sheet does not define is an error.
      onLog: (level, log, handle) => handle(log.code === 'IMPORT_IS_UNDEFINED' ? 'error' : level, log),
      // Every page lists its files, so names are short: 42 bits of a hash are enough to distinguish
      // releases.
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
    maxWorkers: '100%',
    projects: [
      // Files share a thread's document and packages; the setup file reverts what a test left in
      // them.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['src/**/*.test.{ts,tsx}'], exclude: replacing() },
      },
      // A mocked module outlives its file, so files with mocks get a thread of their own.
      { extends: true, test: { name: 'alone', include: replacing() } },
    ],
    // No test depends on time: a slow machine must not fail.
    testTimeout: 60_000,
    css: { include: [/tokens\.css/], modules: { classNameStrategy: 'non-scoped' } },
    // `just coverage` switches it on. Files that no test imports count, too.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/**/*.test.{ts,tsx}', 'src/**/*.d.ts', 'src/testing/**', 'src/test-setup.ts'],
    },
  },
})

/** The test files that mock modules. */
function replacing(): string[] {
  const source = fileURLToPath(new URL('./src', import.meta.url))
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path) && readFileSync(`${source}/${path}`, 'utf8').includes('vi.mock('))
    .map((path) => `src/${path}`)
}

/**
 * The router's package exports its development build by default; this uses the production build. It
 * also marks the creation of components as free of side effects, so that a build drops unused ones.
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

/** Writes the settings into the page that the server writes in production. Inactive in a build. */
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
