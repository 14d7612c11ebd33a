import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

const service = process.env['TRESTLE_SERVICE'] ?? 'http://127.0.0.1:3737'

const config: UserConfig = defineConfig({
  base: '/studio/',
  plugins: [react()],
  build: {
    outDir: 'dist/app',
    target: 'es2023',
    // The preload helper would be the only inline style of a page.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/v1': service, '/v2': service, '/studio/session': service } },
})

export default config
