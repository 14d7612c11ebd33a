import type { BridgeOptions } from '@trestle/core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Answer, type Call, secret, send } from './call.ts'
import type { Mount, Mounted } from './mounts/mount.ts'

/** A bridge for the surrounding tests. */
export interface Site {
  readonly url: string
  /** The log entries of the bridge since the test started. */
  readonly warnings: string[]
  readonly errors: unknown[]
  call(call?: Call): Promise<Answer>
}

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

/**
 * Mounts a bridge for the tests in a describe block, and checks after each test that nothing is left over.
 *
 * @param options - The bridge's options; secret and logger are set here.
 */
export function useSite(mount: Mount, options: BridgeOptions = {}): Site {
  let mounted: Mounted | undefined
  const warnings: string[] = []
  const errors: unknown[] = []
  const logger = {
    warn: (_: object, text: string) => warnings.push(text),
    error: (...all: unknown[]) => errors.push(all),
  }
  const site = {
    get url() {
      if (!mounted) throw new Error('The bridge is not mounted yet.')
      return mounted.url
    },
    warnings,
    errors,
    call: (call?: Call) => send(site.url, call),
  }
  beforeAll(async () => {
    mounted = await mount.mount({ secretKey: secret, logger, ...options } as BridgeOptions)
  })
  beforeEach(() => {
    warnings.length = 0
    errors.length = 0
    unhandled.length = 0
  })
  afterEach(async () => {
    // Waits for one turn of the event loop, so that an unhandled rejection is reported.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })
  afterAll(() => mounted?.close())
  return site
}
