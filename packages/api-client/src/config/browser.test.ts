import { expect, it } from 'vitest'
import { isBrowser } from './browser.ts'

const importScripts = () => {}

it.each([
  ['a page', { window: { document: {} }, document: {} }, true],
  ['a page that plays a server', { window: { document: {} }, process: {} }, true],
  ['a worker of a page', { importScripts, location: {}, WorkerGlobalScope: {} }, true],
  ['a worker of a page with a process of its bundler', { importScripts, location: {}, process: { env: {} } }, true],
  [
    'a worker with a process that claims versions',
    { importScripts, location: {}, process: { versions: { node: '20' } } },
    true,
  ],
  ['a page with a process of its bundler', { window: { document: {} }, process: { versions: { node: '20' } } }, true],
  ['Node', { process: {} }, false],
  ['Deno', { Deno: {}, window: {}, importScripts, location: {} }, false],
  ['Bun', { Bun: {}, process: {} }, false],
  ['an edge runtime', { caches: {}, WorkerGlobalScope: {} }, false],
])('detects %s', (_what, scope, expected) => {
  expect(isBrowser(scope)).toBe(expected)
})
