import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

// Bundles the elements into one file that any page can load: the React components, rendered by Preact, with the style
// sheet as a string.

const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('preact/package.json')), 'utf8'))

const bundle = await rolldown({
  input: 'src/element.ts',
  platform: 'browser',
  resolve: { alias: { 'react/jsx-runtime': 'preact/jsx-runtime', react: 'preact/compat' } },
  transform: { jsx: { runtime: 'automatic', importSource: 'react' } },
  plugins: [
    {
      name: 'styles',
      load: (id) =>
        id.endsWith('.css')
          ? { code: `export default ${JSON.stringify(toShort(readFileSync(id, 'utf8')))}`, moduleType: 'js' }
          : null,
    },
  ],
  onLog(level, log) {
    throw new Error(`${level}: ${log.message}`)
  },
})
await bundle.write({
  file: 'dist/element.js',
  format: 'esm',
  // As in the other bundles: written for development, and not published.
  sourcemap: 'hidden',
  minify: true,
  postBanner: `/* Contains Preact ${version}. Copyright (c) 2015-present Jason Miller. MIT License: https://github.com/preactjs/preact */`,
})

/** Returns a style sheet without comments and indentation. */
function toShort(css) {
  return css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ')
}
