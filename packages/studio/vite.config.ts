import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { parseErrorTexts } from './src/errors/parse-error-texts.ts'

const service = process.env['TRESTLE_SERVICE'] ?? 'http://127.0.0.1:3737'

/** The service rejects requests from pages on other origins. */
const toService = { target: service, changeOrigin: true, headers: { origin: service } }

const errorPage = fileURLToPath(new URL('../docs/errors.md', import.meta.url))

/** Adds the error codes from the documentation to the build, so that their texts have a single source. */
const errorTexts: Plugin = {
  name: 'error-texts',
  resolveId: (id) => (id === 'virtual:error-texts' ? '\0virtual:error-texts' : undefined),
  load(id) {
    if (id !== '\0virtual:error-texts') return undefined
    this.addWatchFile(errorPage)
    return `export default ${JSON.stringify(parseErrorTexts(readFileSync(errorPage, 'utf8')))}`
  },
}

/** What every page needs is one file, because small files compress worse. */
const everyPage =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|wouter|@tanstack)\/|studio\/src\/(?:api\/api|base\/(?:access|own-entry|json-scope)|session\/(?:queries|session|storage|touched-by)|ui\/(?:button|badge|copy-button|fields\/select-field))/

const config: UserConfig = defineConfig({
  base: '/studio/',
  plugins: [react(), errorTexts],
  build: {
    outDir: 'dist/app',
    target: 'es2023',
    // The preload helper would be the only inline style of a page.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 700,
    // Icons that several pages share are one file. Without it, each of them would be a file.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['Object.freeze'] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /\/lucide-react\//, minShareCount: 2 },
            { name: 'base', test: everyPage },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/v1', '/v2', '/studio/session'].map((path) => [path, toService])) },
})

export default config
