import { randomBytes } from 'node:crypto'
import { prepare } from './prepare.mjs'

// npm start: serves the Hono example and plays the notification service against it. With --once it ends after that.

const secret = `sk_${randomBytes(16).toString('hex')}`

async function main() {
  if (!prepare(['@trestle/example-hono'])) return 1
  // These need what was just built.
  const { startExample } = await import('./start/example.mjs')
  const { createService } = await import('./start/service.mjs')
  const { play } = await import('./start/play.mjs')
  const { createTimeline, printHowToCall } = await import('./start/timeline.mjs')

  const example = await startExample(secret)
  const stop = () => {
    example.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  const timeline = createTimeline(process.stdout)
  timeline.title(`The Hono example serves its workflows at ${example.url}; every call below is signed.`)
  await play(createService(example.url, secret), timeline)
  if (process.argv.includes('--once') || timeline.surprises > 0) {
    example.stop()
    return timeline.end()
  }
  timeline.end()
  printHowToCall(process.stdout, { url: example.url, secret })
  return undefined
}

try {
  const status = await main()
  if (status !== undefined) process.exit(status)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
