import { startExample } from './example.mjs'
import { play } from './play.mjs'
import { createService } from './service.mjs'
import { createTimeline, printHowToCall } from './timeline.mjs'

const startTimeoutMs = 30_000

/**
 * Runs the examples with the function behind `trestle dev`, and displays what happens.
 *
 * @param {{ once: boolean }} options - With `once`, the service and the app stop after the timeline.
 * @returns {Promise<number | undefined>} The exit status; undefined while the service and the app keep running.
 */
export async function run({ once }) {
  const timeline = createTimeline(process.stdout)
  const { session } = await startExample({
    // Automated runs use any free port; otherwise the default port is used, or the next free one.
    ...(once && { port: 0 }),
    onEvent: (event) => showEvent(event, { timeline, isServing: () => serving }),
  })
  let serving = false
  const stopAndLeave = (status) => void session.stop().finally(() => process.exit(status))
  process.once('SIGINT', () => stopAndLeave(0))
  process.once('SIGTERM', () => stopAndLeave(0))

  const bridgeUrl = await withTimeout(session.ready, startTimeoutMs)
  const { service } = session
  timeline.title(`The notification service is at ${service.url}, the app with the examples at ${bridgeUrl}.`)
  const pageUrl = new URL('/', bridgeUrl).href
  await play(createService(service), timeline, pageUrl)
  const status = timeline.end()
  if (once || status !== 0) {
    await session.stop()
    return status
  }
  serving = true
  printHowToCall(process.stdout, { ...service, studioUrl: service.studioLink(), bridgeUrl, pageUrl })
  return undefined
}

/** Displays output before and during the timeline. */
function showEvent(event, { timeline, isServing }) {
  if (event.kind === 'failing') timeline.title(`${event.problem.code}: ${event.problem.message} ${event.problem.fix}`)
  if (event.kind === 'app-ended') {
    timeline.title(`The app ${event.how}.`)
    if (isServing()) process.exit(1)
  }
  if (event.kind === 'synced' && isServing()) timeline.title(`Synced ${event.synced.workflowIds.length} workflows.`)
}

async function withTimeout(promise, ms) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('The app did not start in time.')), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
