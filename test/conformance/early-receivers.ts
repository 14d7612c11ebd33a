import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '@trestle/service'
import { secret } from './call.ts'
import { echoQuery, workflows } from './fixture.ts'
import type { Mount, Mounted } from './mounts/mount.ts'
import { signatureLine } from './raw.ts'

const maxBodyBytes = 500_000
const serviceKey = 'sk_development_0123456789'

/** A server that rejects large and unauthenticated requests before it has received their bodies. */
export interface Receiver {
  readonly name: string
  readonly path: string
  start(): Promise<Mounted>
  /** Returns the header of an authenticated request. */
  authenticate(): Promise<string>
}

/** Returns a bridge as a receiver. */
export const toReceiver = (mount: Mount): Receiver => ({
  name: `a bridge on ${mount.name}`,
  path: `/api/bridge?${new URLSearchParams(echoQuery)}`,
  start: () => mount.mount({ workflows, secretKey: secret, strictAuthentication: true, maxBodyBytes }),
  authenticate: () => signatureLine('{}'),
})

/** The service as a receiver. */
export const serviceReceiver: Receiver = {
  name: 'the service',
  path: '/v1/events/trigger',
  async start() {
    const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-early-'))
    const { url, stop } = await startService({
      ...{ port: 0, logLevel: 'silent', dataFolder, maxBodyBytes, stopGraceMs: 100 },
      secretKeys: { Development: serviceKey },
    })
    return { url, close: () => stop().then(() => rmSync(dataFolder, { recursive: true, force: true })) }
  },
  authenticate: async () => `authorization: ApiKey ${serviceKey}`,
}
