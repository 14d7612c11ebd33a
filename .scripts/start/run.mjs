import { randomBytes } from 'node:crypto'
import { startExample } from './example.mjs'
import { play } from './play.mjs'
import { startNotificationService } from './service.mjs'
import { createTimeline, printHowToCall } from './timeline.mjs'

/**
 * Starts the notification service with the Hono example, and shows what happens.
 *
 * @param {{ once: boolean }} options - With `once` both end after the timeline.
 * @returns {Promise<number | undefined>} The exit status; undefined while both keep serving.
 */
export async function run({ once }) {
  const secret = `sk_${randomBytes(16).toString('hex')}`
  const [example, service] = await Promise.all([startExample(secret), startNotificationService(secret, { once })])
  const stop = async () => {
    example.stop()
    await service.stop()
  }
  const stopAndLeave = () => void stop().finally(() => process.exit(0))
  process.once('SIGINT', stopAndLeave)
  process.once('SIGTERM', stopAndLeave)

  const timeline = createTimeline(process.stdout)
  timeline.title(`The notification service is at ${service.url}, the Hono example at ${example.url}.`)
  await play(service, example, timeline)
  const status = timeline.end()
  if (once || status !== 0) {
    await stop()
    return status
  }
  printHowToCall(process.stdout, { serviceUrl: service.url, bridgeUrl: example.url, secret })
  return undefined
}
