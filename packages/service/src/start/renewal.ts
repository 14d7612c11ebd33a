import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { renewSecrets } from '../secrets/renew-secrets.ts'

const pauseMs = 60_000

/** Work that goes on in the background until it is done. */
export interface Renewing {
  /** Ends it; the next start goes on. */
  stop(): Promise<void>
}

/**
 * Encrypts anew what previous encryption keys have encrypted, where the settings name some, and logs when that is
 * done.
 *
 * @param context - The service.
 */
export function startRenewal({ store, vault, settings, logger }: ServiceContext): Renewing {
  const stopping = new AbortController()
  const renewOnce = async (): Promise<void> => {
    const { renewed, unopened } = await renewSecrets(store, vault, stopping.signal)
    if (stopping.signal.aborted) return
    if (Object.keys(unopened).length > 0)
      logger.error({ renewed, unopened }, 'some secrets were encrypted with a key that is not named')
    else logger.info({ renewed }, 'all secrets are encrypted with the key in use')
  }
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      try {
        await renewOnce()
        return
      } catch (error) {
        logger.error({ err: error }, 'secrets could not be encrypted anew, and will be tried again')
        await systemClock.sleep(pauseMs, stopping.signal)
      }
  }
  const done = settings.previousEncryptionKeys.length === 0 ? Promise.resolve() : work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
