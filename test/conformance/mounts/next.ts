import { fileURLToPath } from 'node:url'
import next from 'next'
import { buildApp } from '../../build-app.ts'
import type { InFront, Mount } from './mount.ts'
import { closeServer, listen, nodeInFront, waitsForBody } from './node.ts'

type Router = 'app' | 'api/pages' | 'api/parsed'

const dir = fileURLToPath(new URL('../next-app', import.meta.url))
const options = new Map<string, unknown>()
const key = Symbol.for('trestle.conformance')
let running: Promise<string> | undefined
let stop: (() => Promise<void>) | undefined
let mounts = 0

/** Builds the app for the mounts. */
export function buildNext(): Promise<void> {
  return buildApp({
    folder: 'test/conformance/next-app',
    build: ['next/dist/bin/next', 'build'],
    output: '.next/BUILD_ID',
    packages: ['next'],
  })
}

/** Starts Next in production mode, once. */
function start(): Promise<string> {
  running ??= (async () => {
    Object.assign(globalThis, { [key]: options })
    const create = next as unknown as typeof next.default
    const app = create({ dev: false, dir, quiet: true })
    await app.prepare()
    const { server, origin } = await listen(app.getRequestHandler())
    stop = async () => {
      await closeServer(server)
      await app.close()
    }
    return origin
  })()
  return running
}

export async function stopNext(): Promise<void> {
  await stop?.()
}

function mountNext(router: Router): Mount['mount'] {
  return async (given) => {
    const name = `mount-${mounts++}`
    options.set(name, given)
    const origin = await start()
    return { url: `${origin}/${router}/${name}`, close: async () => void options.delete(name) }
  }
}

const normalized: InFront = { answers: [308], reason: 'Next sends callers of a path it would write otherwise there' }

const nextInFront = {
  ...nodeInFront,
  'absolute-form URL': normalized,
  'absolute-form URL with a bad port': normalized,
}

const appInFront = {
  ...nextInFront,
  PROPFIND: { answers: [400, 405], reason: 'a route cannot export this method; Next answers it' },
  TRACE: { answers: [405, 500], reason: 'Next makes a Request of every call, and no Request can be a TRACE' },
} as const

const parsedInFront = {
  ...nextInFront,
  ...waitsForBody("Next's body parser"),
  '100 000 nested brackets': { answers: [400], reason: "Next's body parser refuses what is not JSON" },
} as const

/** A real Next server: the App Router, and the Pages Router with and without the required line. */
export const nextMounts: readonly Mount[] = [
  { name: 'Next, App Router', body: 'stream', inFront: appInFront, prepare: buildNext, mount: mountNext('app') },
  {
    name: 'Next, Pages Router',
    body: 'stream',
    inFront: nextInFront,
    prepare: buildNext,
    mount: mountNext('api/pages'),
  },
  {
    name: 'Next, Pages Router without its config line',
    body: 'parsed',
    inFront: parsedInFront,
    prepare: buildNext,
    mount: mountNext('api/parsed'),
  },
]
