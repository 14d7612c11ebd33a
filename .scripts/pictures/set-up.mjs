import { play } from '../start/play.mjs'
import { createService } from '../start/service.mjs'

const silent = () => undefined
const timeline = Object.fromEntries(
  ['title', 'section', 'row', 'note', 'said', 'message', 'expect'].map((name) => [name, silent]),
)
const patienceMs = 30_000
const pollMs = 200

const order = {
  orderId: 'A-1048',
  carrier: 'post',
  trackingUrl: 'https://example.com/track/A-1048',
  items: [{ name: 'Saucer', quantity: 4 }],
}

/**
 * Plays the examples, so that the studio has something to show.
 *
 * @param {object} session - The running examples.
 * @param {string} pageUrl - The page with a bell.
 * @returns {Promise<{ unsentRunId: string }>} The run of a message that could not be sent.
 */
export async function setUp(session, pageUrl) {
  const service = createService(session.service)
  await play(service, timeline, pageUrl)
  return { unsentRunId: await runWithoutAddress(service) }
}

/** Runs a workflow for a subscriber without an email address. */
async function runWithoutAddress(service) {
  await service.call('POST', '/v2/subscribers', { subscriberId: 'grace', firstName: 'Grace' })
  const trigger = { name: 'order-shipped', to: 'grace', payload: order }
  const { transactionId } = await service.call('POST', '/v1/events/trigger', trigger)
  const read = async () => {
    const { data } = await service.call('GET', `/v1/notifications?transactionId=${transactionId}`)
    return data[0] && service.call('GET', `/v1/notifications/${data[0]._id}`)
  }
  const waiting = await waitFor(read, (run) => run?.jobs.find(({ status }) => status === 'delayed'))
  const { _id } = waiting.jobs.find(({ status }) => status === 'delayed')
  await service.call('POST', `/v1/studio/jobs/${_id}/skip-wait`)
  const ended = await waitFor(read, (run) =>
    run?.jobs.every(({ status }) => !['pending', 'queued', 'running', 'delayed'].includes(status)),
  )
  return ended._id
}

async function waitFor(read, isThere) {
  for (const deadlineMs = performance.now() + patienceMs; performance.now() < deadlineMs; ) {
    const state = await read()
    if (isThere(state)) return state
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error('The run did not reach its state in time.')
}
