import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** The program to whose console API the development server forwards requests. */
const backend = process.env.CONSOLE_BACKEND ?? 'http://127.0.0.1:54321'

// Tests expect dates as they are written in this time zone, wherever they run. Threads take it from the process.
if (process.env.VITEST) process.env.TZ = 'UTC'

export default defineConfig({
  base: '/console/',
  plugins: [react(), routerOfProduction()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // The content security policy allows no inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // CodeMirror and React Flow are large, and come on demand; `scripts/measure.mjs` holds the budget.
    chunkSizeWarningLimit: 1000,
    manifest: 'manifest.json',
  },
  server: {
    // The console compares the origin with the host header, which stays the browser's.
    proxy: { '/console/api': { target: backend, changeOrigin: false } },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://console.test/console/' } },
    setupFiles: ['src/testing/setup.ts'],
    pool: 'threads',
    // By default a core is left to the main thread, which is idle most of the time.
    maxWorkers: '100%',
    // Files share a thread's document and packages, which take longer to load than most files to run. None mocks a module.
    isolate: false,
    // No test depends on time: a slow machine must not fail.
    testTimeout: 60_000,
  },
})

/**
 * The router's package exports its development build by default; this uses the production build.
 */
function routerOfProduction(): Plugin {
  const replacement = fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url))
  return {
    name: 'console-router-of-production',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement }] } }),
  }
}
