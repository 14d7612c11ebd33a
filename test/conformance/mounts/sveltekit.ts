import type { RequestListener } from 'node:http'
import { buildApp } from '../../build-app.ts'
import type { Mount } from './mount.ts'
import { closeServer, listen, nodeInFront } from './node.ts'

const options = new Map<string, unknown>()
let mounts = 0
/** The folder of an app built with a newer version; set by `test/runtimes`. */
const newest = process.env['TEST_NEWEST_SVELTEKIT']

/** Builds the app for the mount. */
export async function buildSvelteKit(): Promise<void> {
  if (newest) return
  await buildApp({
    folder: 'test/conformance/sveltekit-app',
    build: ['vite/bin/vite.js', 'build'],
    output: 'build/handler.js',
    packages: [],
  })
}

/** Loads the built app, with `adapter-node`. */
async function loadHandler(): Promise<RequestListener> {
  Object.assign(globalThis, { [Symbol.for('trestle.conformance')]: options })
  // Above the bridge's limit, so that the bridge's limit is tested.
  process.env['BODY_SIZE_LIMIT'] = '20M'
  const built = new URL('build/handler.js', newest ?? new URL('../sveltekit-app/', import.meta.url)).href
  const { handler } = (await import(built)) as { handler: RequestListener }
  return handler
}

const badHost = {
  answers: newest ? [400, 404, 500] : [400, 500],
  reason: 'SvelteKit makes a URL of Host and refuses one it cannot read',
} as const
const forged = { answers: [403], reason: 'SvelteKit refuses what a form of another site could send' } as const

const svelteKitInFront = {
  ...nodeInFront,
  'Host: [': badHost,
  'Host with a port out of range': badHost,
  'Host with spaces': badHost,
  'empty Host': badHost,
  'Host: http://x': badHost,
  'Host: ::1': badHost,
  'Host: %': badHost,
  'Host: \\': badHost,
  'Host: a/b@c#d': badHost,
  'HTTP/1.0 without Host': badHost,
  'absolute-form URL': badHost,
  'absolute-form URL with a bad port': badHost,
  PROPFIND: { answers: [405], reason: 'a route cannot export this method; SvelteKit answers it' },
  TRACE: { answers: [400], reason: 'SvelteKit makes a Request of every call, and no Request can be a TRACE' },
  // The app on the newer version trusts all origins, so that requests reach the bridge.
  ...(!newest && {
    'unsigned, as text': forged,
    'unsigned, as text that looks like JSON': forged,
    'unsigned, as a form': forged,
  }),
} as const

/** SvelteKit on Node, built by Vite. */
export const svelteKitMount: Mount = {
  name: 'SvelteKit',
  body: 'stream',
  inFront: svelteKitInFront,
  prepare: buildSvelteKit,
  async mount(given) {
    const name = `mount-${mounts++}`
    options.set(name, given)
    const { server, origin } = await listen(await loadHandler())
    return { url: `${origin}/api/${name}`, close: () => closeServer(server) }
  },
}
