import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

const item = (text: string, link: string): Item => ({ text, link })
const api = new URL('../api/', import.meta.url)

/** The pages that the build generates from the API description. */
const apiPages = (): Item[] =>
  (existsSync(api) ? readdirSync(api) : [])
    .filter((name) => name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''))
    .map((name) => item(name, `/api/${name}`))

const integrations = new URL('../integrations/', import.meta.url)
const titleOf = (page: URL): string => /^# (.+)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? ''

/** The providers of a channel, by name. Their pages are named after their ids. */
function providersOf(text: string, channel: string): Item {
  const names = readdirSync(new URL(`${channel}/`, integrations)).filter((name) => name !== 'index.md')
  const items = names.map((name) =>
    item(titleOf(new URL(`${channel}/${name}`, integrations)), `/integrations/${channel}/${name.replace(/\.md$/, '')}`),
  )
  const byName = (one: Item, other: Item): number => String(one.text).localeCompare(String(other.text))
  return { text, link: `/integrations/${channel}/`, collapsed: true, items: items.sort(byName) }
}

/** The pages, in reading order. */
export const sidebar: Item[] = [
  {
    text: 'Start',
    items: [
      item('Quickstart', '/start/'),
      item('First mail', '/start/first-mail'),
      item('Digest', '/start/digest'),
      item('Inbox bell', '/in-app'),
      item('Local development', '/local'),
      item('Concepts and glossary', '/concepts'),
      item('Migrate from @novu/framework', '/moving'),
      item('FAQ', '/faq'),
      item('Comparison', '/comparison'),
      item('Three workflows side by side', '/side-by-side'),
    ],
  },
  {
    text: 'Workflows',
    items: [
      item('Replay rules', '/packages/core#how-a-workflow-runs'),
      item('The workflow function', '/packages/core#the-workflow-function'),
      item('Options of workflows', '/workflow-options'),
      {
        text: 'Steps',
        link: '/steps/',
        collapsed: true,
        items: [
          ['email', 'email'],
          ['sms', 'sms'],
          ['push', 'push'],
          ['chat', 'chat'],
          ['tool', 'tool'],
          ['inApp', 'in-app'],
          ['digest', 'digest'],
          ['delay', 'delay'],
          ['waitForEvent', 'wait-for-event'],
          ['trigger', 'trigger'],
          ['throttle', 'throttle'],
          ['custom', 'custom'],
          ['httpRequest', 'http-request'],
        ]
          .map(([name, page]) => item(`step.${name}`, `/steps/${page}`))
          .concat(item('Options of steps', '/steps/options')),
      },
      item('Triggering', '/triggering'),
      item('Subscribers and topics', '/subscribers'),
      item('Preferences and unsubscribe', '/preferences'),
      {
        text: 'Testing',
        link: '/packages/testing',
        collapsed: true,
        items: [
          item('Runs in the test kit', '/testing/runs'),
          item('Matchers and assertions', '/testing/matchers'),
          item('What to test', '/testing/examples'),
          item('Doubles, time and events', '/testing/doubles'),
          item('Test conversations', '/testing/conversations'),
          item('Test runners', '/testing/setup'),
        ],
      },
      item('Replay past runs', '/replay'),
      item('Continuous integration', '/ci'),
    ],
  },
  {
    text: 'Recipes',
    items: [
      item('Look-back digest', '/recipes/look-back-digest'),
      item('Quiet hours', '/recipes/quiet-hours'),
      item('Escalation', '/recipes/escalation'),
      item('Approval', '/recipes/approval'),
      item('One message for each item', '/recipes/fan-out'),
      item('React Email', '/recipes/react-email'),
      item('MJML', '/recipes/mjml'),
      item('Attachments', '/recipes/attachments'),
      item('Layouts', '/recipes/layouts'),
      item('Translations', '/recipes/translations'),
      item('Controls for marketers', '/recipes/controls'),
      item('Dark mode and plain text', '/recipes/dark-mode'),
      item('Retries', '/recipes/retries'),
      item('Feature flags', '/recipes/feature-flags'),
      item('Compare messages before a merge', '/recipes/compare-messages'),
    ],
  },
  {
    text: 'Integrations',
    items: [
      item('Overview', '/integrations/'),
      providersOf('Email', 'email'),
      providersOf('SMS', 'sms'),
      providersOf('Push', 'push'),
      providersOf('Chat', 'chat'),
      providersOf('Tool', 'tool'),
      item('Other providers', '/integrations/other-providers'),
      item('Webhooks', '/webhooks'),
      item('Inbound email', '/inbound-email'),
      item('Agents', '/agents'),
    ],
  },
  {
    text: 'Examples',
    collapsed: true,
    items: [
      'agent',
      'email',
      'inbox',
      'express',
      'fastify',
      'h3',
      'hono',
      'koa',
      'lambda',
      'nest',
      'next',
      'react-router',
      'sveltekit',
      'workflows',
    ].map((name) => item(name, `/examples/${name}`)),
  },
  {
    text: 'Production',
    items: [
      item('Deploy the bridge', '/deploy-bridge'),
      item('Deploy the service', '/deploy'),
      item('Deployment files', '/deploy-files'),
      item('Accounts in the studio', '/accounts'),
      item('Service settings', '/settings'),
      item('Security', '/security'),
      item('Performance', '/performance'),
      item('Scaling', '/scaling'),
    ],
  },
  {
    text: 'Reference',
    items: [
      item('Workflows: core', '/packages/core'),
      {
        text: 'The service',
        link: '/packages/service',
        collapsed: true,
        items: [
          item('Runs', '/service/runs'),
          item('Messages', '/service/messages'),
          item('Stored workflows', '/service/workflows'),
          item('Conversations with agents', '/service/conversations'),
          item('Variables and secrets', '/service/secrets'),
          item('The studio', '/service/studio'),
          item('Guarantees', '/service/guarantees'),
          item('Operations', '/service/operations'),
        ],
      },
      {
        text: 'Command line',
        link: '/packages/cli',
        collapsed: true,
        items: [item('Commands', '/cli/'), item('Tools for coding agents', '/cli/coding-agents')],
      },
      item('Inbox components', '/packages/inbox'),
      item('Inbox API', '/inbox'),
      item('API client', '/packages/api-client'),
      item('Bridge client', '/packages/bridge-client'),
      item('Service API', '/service-api'),
      { text: 'API operations', link: '/api/', collapsed: true, items: apiPages() },
      item('Error codes', '/errors'),
      item('Bridge protocol', '/bridge-protocol'),
      item('Agent protocol', '/protocol'),
      item('Architecture', '/architecture'),
      {
        text: 'Adapters and other packages',
        collapsed: true,
        items: [
          'express',
          'fastify',
          'h3',
          'hono',
          'koa',
          'lambda',
          'nest',
          'next',
          'react-router',
          'sveltekit',
          'protocol',
          'studio',
          'inbound-mail',
          'codemod',
          'run-rules',
          'html',
          'json-schema',
          'templates',
          'worker-pool',
        ].map((name) => item(name, `/packages/${name}`)),
      },
    ],
  },
]
