import { expect, it } from 'vitest'
import { isBrowser } from './browser.ts'

const importScripts = () => {}

it.each([
  ['a page', { window: { document: {} }, document: {} }, true],
  ['a page that plays a server', { window: { document: {} }, process: {} }, true],
  ['a worker of a page', { importScripts, location: {}, WorkerGlobalScope: {} }, true],
  ['Node', { process: {} }, false],
  ['Deno', { Deno: {}, window: {}, importScripts, location: {} }, false],
  ['Bun', { Bun: {}, process: {} }, false],
  ['an edge runtime', { caches: {}, WorkerGlobalScope: {} }, false],
])('knows %s', (_what, scope, expected) => {
  expect(isBrowser(scope)).toBe(expected)
})
