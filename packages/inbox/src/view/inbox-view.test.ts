import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { InboxProvider } from './base/provider.tsx'
import { Inbox } from './inbox-view.tsx'
import { Notifications } from './list/notifications.tsx'
import { Preferences } from './settings/preferences-view.tsx'

const options = { applicationIdentifier: 'app', subscriber: 'ada', url: 'https://service.invalid' }

test('renders on a server: a bell without a number, and no request', () => {
  const render = () => renderToString(createElement(Inbox, options))
  expect(render()).toContain('<button type="button" class="trestle-root trestle-bell" aria-label="Notifications"')
  expect(render()).toBe(render())
})

test('renders lists and preferences on a server as loading', () => {
  const markup = renderToString(
    createElement(InboxProvider, options, createElement(Notifications), createElement(Preferences)),
  )
  expect(markup.match(/aria-busy="true"/g)).toHaveLength(2)
  expect(markup.match(/Loading…/g)).toHaveLength(2)
})

test('names the missing provider', () => {
  expect(() => renderToString(createElement(Notifications))).toThrow(
    'Inbox components and hooks must be inside <InboxProvider>.',
  )
})
