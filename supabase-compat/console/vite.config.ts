import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** The program whose console API the development server passes requests to. */
const backend = process.env.CONSOLE_BACKEND ?? 'http://127.0.0.1:54321'

export default defineConfig({
  base: '/console/',
  plugins: [react(), routerOfProduction()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // The content security policy allows no script inside the page.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // CodeMirror and React Flow are large, and come on demand; `scripts/measure.mjs` holds the budget.
    chunkSizeWarningLimit: 1000,
    manifest: 'manifest.json',
  },
  server: {
    // The console compares the origin with the host, which stays the browser's.
    proxy: { '/console/api': { target: backend, changeOrigin: false } },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://console.test/console/' } },
    setupFiles: ['src/testing/setup.ts'],
    pool: 'threads',
    // Nothing here is about time: a slow machine is no failure.
    testTimeout: 60_000,
  },
})

/** The router's package names its development build for everybody; its other one is without what it warns of. */
function routerOfProduction(): Plugin {
  const replacement = fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url))
  return {
    name: 'console-router-of-production',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement }] } }),
  }
}
