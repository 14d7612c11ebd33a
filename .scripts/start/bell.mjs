import { createInbox } from '@trestle/inbox'

const patienceMs = 30_000

/**
 * Opens the page's inbox as its bell does, mentions the user, and waits until the bell has changed.
 *
 * @param {object} stage - The service, the timeline, and the page's URL.
 */
export async function showBell({ service, timeline, pageUrl }) {
  timeline.section(`The page with a bell at ${pageUrl}: someone mentions Ada`)
  const page = await (await fetch(pageUrl)).text()
  timeline.expect(page.includes('id="bell"'), 'a page with a bell')
  const inbox = createInbox(await (await fetch(new URL('inbox-options', pageUrl))).json())
  try {
    await waitFor(inbox, ({ status }) => status === 'online')
    const { unread } = inbox.getSnapshot().counts
    timeline.note('bell', `${unread} unread`)
    inbox.on('notification_received', ({ message }) => timeline.note('bell', `new: ${message.subject}`))
    const payload = { author: 'Grace', text: 'Can you look at this?', url: '/#comment-1' }
    await service.call('POST', '/v1/events/trigger', { name: 'mention', to: 'ada', payload })
    await waitFor(inbox, ({ counts }) => counts.unread === unread + 1)
    timeline.note('bell', `${unread + 1} unread`)
  } finally {
    inbox.close()
  }
}

function waitFor(inbox, isThere) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (isThere(inbox.getSnapshot())) end(resolve)
    }
    const timer = setTimeout(
      () => end(reject, new Error(`The bell stays at ${JSON.stringify(inbox.getSnapshot())}.`)),
      patienceMs,
    )
    const stop = inbox.subscribe(look)
    const end = (settle, value) => {
      clearTimeout(timer)
      stop()
      settle(value)
    }
    look()
  })
}
