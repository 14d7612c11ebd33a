import { createHmac, hkdfSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** The routes of the page: its files, and the options of its inbox. */
export const routes = new Hono()

// A real app gets the user from its own session. The hash authorizes the page to read this user's messages.
const user = { subscriberId: 'ada', firstName: 'Ada' }

routes.get('/inbox-options', (context) => {
  const {
    SERVICE_API_URL: url,
    SERVICE_APPLICATION_IDENTIFIER: applicationIdentifier,
    SERVICE_SECRET_KEY: secretKey,
  } = process.env
  if (!url || !applicationIdentifier || !secretKey) {
    const message =
      'Set SERVICE_API_URL, SERVICE_APPLICATION_IDENTIFIER and SERVICE_SECRET_KEY; trestle dev --run does.'
    return context.json({ message }, 500)
  }
  const subscriberHash = toSubscriberHash(secretKey, user.subscriberId)
  return context.json({ url, applicationIdentifier, subscriber: user, subscriberHash })
})

routes.use('*', async (context, next) => {
  await next()
  const service = process.env['SERVICE_API_URL'] ?? ''
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data: https:; connect-src 'self' ${service}`
  context.header('content-security-policy', policy)
})
routes.use('*', serveStatic({ root: fileURLToPath(new URL('public', import.meta.url)) }))

function toSubscriberHash(secretKey: string, subscriberId: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'trestle/subscriber-hash', 32))
  return createHmac('sha256', key).update(subscriberId).digest('hex')
}
