import { createRequestHandler } from '@react-router/express'
import express from 'express'
import type { ServerBuild } from 'react-router'
import { buildApp } from '../../build-app.ts'
import type { Mount } from './mount.ts'
import { closeServer, listen, nodeInFront } from './node.ts'

const options = new Map<string, unknown>()
let mounts = 0
/** The folder of an app built with a newer version; set by `test/runtimes`. */
const newest = process.env['TEST_NEWEST_REACT_ROUTER']

const badHost = { answers: [500], reason: '@react-router/express makes a URL of Host, and fails on a bad one' } as const
const noRoute = { answers: [404], reason: 'Express routes by the path of a URL in origin form' } as const
const lost = { answers: [401], reason: '@react-router/express leaves out headers without a value' } as const

const reactRouterInFront = {
  ...nodeInFront,
  'Host: [': badHost,
  'Host with a port out of range': badHost,
  'Host with spaces': badHost,
  'empty Host': badHost,
  'Host: %': badHost,
  'HTTP/1.0 without Host': badHost,
  'absolute-form URL': noRoute,
  'absolute-form URL with a bad port': noRoute,
  PROPFIND: { answers: [405], reason: 'React Router knows a fixed list of methods' },
  TRACE: { answers: [500], reason: 'React Router makes a Request of every call, and no Request can be a TRACE' },
  'an empty signature': lost,
  'signature empty': lost,
} as const

/** Builds the app for the mount. */
export async function buildReactRouter(): Promise<void> {
  if (newest) return
  await buildApp({
    folder: 'test/conformance/react-router-app',
    build: ['@react-router/dev/bin.js', 'build'],
    output: 'build/server/index.js',
    packages: [],
  })
}

/** The Express handler of the newer version. */
async function loadNewest(folder: string): Promise<typeof createRequestHandler> {
  const module = (await import(new URL('adapter.mjs', folder).href)) as {
    createRequestHandler: typeof createRequestHandler
  }
  return module.createRequestHandler
}

/** React Router in framework mode on Express, built by its own tool. */
export const reactRouterMount: Mount = {
  name: 'React Router',
  body: 'stream',
  inFront: reactRouterInFront,
  prepare: buildReactRouter,
  async mount(given) {
    Object.assign(globalThis, { [Symbol.for('trestle.conformance')]: options })
    const name = `mount-${mounts++}`
    options.set(name, given)
    const built = new URL('build/server/index.js', newest ?? new URL('../react-router-app/', import.meta.url)).href
    const create = newest ? await loadNewest(newest) : createRequestHandler
    const app = express().all('/{*path}', create({ build: (await import(built)) as ServerBuild }))
    const { server, origin } = await listen(app)
    return { url: `${origin}/api/${name}`, close: () => closeServer(server) }
  },
}
