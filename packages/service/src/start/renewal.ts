import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { renewSecrets } from '../secrets/renew-secrets.ts'

const pauseMs = 60_000

/** Background work that ends when it is done. */
export interface Renewing {
  /** Stops it; the next start continues. */
  stop(): Promise<void>
}

/** Re-encrypts data encrypted with previous keys, if the settings list any, and logs when it is done. */
export function startRenewal({ store, vault, settings, logger }: ServiceContext): Renewing {
  const stopping = new AbortController()
  const renewOnce = async (): Promise<void> => {
    const { renewed, unopened } = await renewSecrets(store, vault, stopping.signal)
    if (stopping.signal.aborted) return
    if (Object.keys(unopened).length > 0)
      logger.error({ renewed, unopened }, 'some secrets were encrypted with a key that is not configured')
    else logger.info({ renewed }, 'all secrets are encrypted with the current key')
  }
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      try {
        await renewOnce()
        return
      } catch (error) {
        logger.error({ err: error }, 'secrets could not be re-encrypted and will be retried')
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
