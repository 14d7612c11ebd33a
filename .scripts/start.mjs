import { randomBytes } from 'node:crypto'
import { prepare } from './prepare.mjs'

// npm start: starts the notification service with the Hono example, and shows what happens. With --once it ends then.

const secret = `sk_${randomBytes(16).toString('hex')}`

async function main() {
  if (!prepare(['@trestle/example-hono', '@trestle/service'])) return 1
  // These need what was just built.
  const { startExample } = await import('./start/example.mjs')
  const { startNotificationService } = await import('./start/service.mjs')
  const { play } = await import('./start/play.mjs')
  const { createTimeline, printHowToCall } = await import('./start/timeline.mjs')

  const once = process.argv.includes('--once')
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

try {
  const status = await main()
  if (status !== undefined) process.exit(status)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
