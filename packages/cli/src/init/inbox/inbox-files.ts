/** Environment variables with their meaning. */
export type Variables = Readonly<Record<string, string>>

/** The variables of a Vite app, which all become part of browser code. */
export const viteVariables: Variables = {
  VITE_SERVICE_API_URL: 'Address of the notification service as seen from browsers',
  VITE_SERVICE_APPLICATION_IDENTIFIER: 'Public identifier of the environment, from GET /v1/environments/me',
}

/** The server variables of a Next app. */
export const nextVariables: Variables = {
  SERVICE_API_URL: 'Address of the notification service as seen from browsers and from this server',
  SERVICE_APPLICATION_IDENTIFIER: 'Public identifier of the environment, from GET /v1/environments/me',
  SERVICE_SECRET_KEY: 'Secret key of the environment; it must never reach a browser',
}

/** Returns the inbox component of a Vite app. */
export function viteBell(isTyped: boolean): string {
  const props = isTyped
    ? `
interface InboxBellProps {
  /** Id of the user who is signed in. */
  subscriberId: string
  /** Its hash from your server, which has the secret key. Required outside of Development. */
  subscriberHash?: string
}
`
    : ''
  return `import { Inbox } from '@trestle/inbox/react'
import '@trestle/inbox/inbox.css'
${props}
const { VITE_SERVICE_API_URL: url, VITE_SERVICE_APPLICATION_IDENTIFIER: applicationIdentifier } = import.meta.env

if (!url || !applicationIdentifier) {
  console.error(
    'The inbox needs the variables VITE_SERVICE_API_URL and VITE_SERVICE_APPLICATION_IDENTIFIER. trestle dev --run sets them.',
  )
}

/** Shows a bell that opens the messages of a user. */
export function InboxBell({ subscriberId, subscriberHash }${isTyped ? ': InboxBellProps' : ''}) {
  if (!url || !applicationIdentifier) return null
  return (
    <Inbox
      url={url}
      applicationIdentifier={applicationIdentifier}
      subscriber={subscriberId}
      subscriberHash={subscriberHash}
    />
  )
}
`
}

/** Returns the server component of a Next app, which passes server-only values to the client component. */
export function nextServerBell(isTyped: boolean): string {
  const props = isTyped ? ': { subscriberId: string }' : ''
  return `import { createHmac, hkdfSync } from 'node:crypto'
import { headers } from 'next/headers'
import { Suspense } from 'react'
import { InboxClient } from './inbox-client'

/**
 * Shows a bell that opens the messages of a user. The hash lets the page read these messages: render it only for
 * the user who is signed in.
 */
export function InboxBell({ subscriberId }${props}) {
  // Without Suspense, Next does not prerender pages that contain the bell.
  return (
    <Suspense>
      <Bell subscriberId={subscriberId} />
    </Suspense>
  )
}

async function Bell({ subscriberId }${props}) {
  // Reads the environment of each request, not of the build.
  await headers()
  const {
    SERVICE_API_URL: url,
    SERVICE_APPLICATION_IDENTIFIER: applicationIdentifier,
    SERVICE_SECRET_KEY: secretKey,
  } = process.env
  if (!url || !applicationIdentifier || !secretKey) {
    console.error(
      'The inbox needs the variables SERVICE_API_URL, SERVICE_APPLICATION_IDENTIFIER and SERVICE_SECRET_KEY. trestle dev --run sets them.',
    )
    return null
  }
  return (
    <InboxClient
      url={url}
      applicationIdentifier={applicationIdentifier}
      subscriber={subscriberId}
      subscriberHash={toSubscriberHash(secretKey, subscriberId)}
    />
  )
}

function toSubscriberHash(secretKey${isTyped ? ': string' : ''}, subscriberId${isTyped ? ': string' : ''}) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'trestle/subscriber-hash', 32))
  return createHmac('sha256', key).update(subscriberId).digest('hex')
}
`
}

/** The client component of a Next app. */
export const nextClientBell = `'use client'

import '@trestle/inbox/inbox.css'

export { Inbox as InboxClient } from '@trestle/inbox/react'
`
