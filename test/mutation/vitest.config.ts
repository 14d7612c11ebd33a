import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const core = new URL('../../node_modules/.cache/trestle-mutation/dist/index.js', import.meta.url)

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { '@trestle/core': fileURLToPath(core) } },
  test: {
    include: ['test/mutation/suite.ts'],
    env: { NODE_ENV: 'test' },
    bail: 1,
  },
})
