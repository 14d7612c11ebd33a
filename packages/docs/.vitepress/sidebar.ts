import { existsSync, readdirSync } from 'node:fs'
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

/** The pages, in reading order. */
export const sidebar: Item[] = [
  {
    text: 'Start',
    items: [
      item('Quickstart', '/start/'),
      item('First mail', '/start/first-mail'),
      item('Digest', '/start/digest'),
      item('Inbox bell', '/in-app'),
      item('Concepts and glossary', '/concepts'),
      item('Migrate from @novu/framework', '/moving'),
      item('FAQ', '/faq'),
      item('Comparison', '/comparison'),
    ],
  },
  {
    text: 'Workflows',
    items: [
      item('Replay rules', '/packages/core#how-a-workflow-runs'),
      item('Workflow options', '/packages/core#the-workflow-function'),
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
          ['throttle', 'throttle'],
          ['custom', 'custom'],
          ['httpRequest', 'http-request'],
        ].map(([name, page]) => item(`step.${name}`, `/steps/${page}`)),
      },
      item('Triggering', '/triggering'),
      item('Preferences and unsubscribe', '/preferences'),
      item('Testing', '/packages/testing'),
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
    ],
  },
  {
    text: 'Integrations',
    items: [
      item('Overview', '/integrations/'),
      item('Email', '/integrations/email'),
      item('SMS', '/integrations/sms'),
      item('Push', '/integrations/push'),
      item('Chat', '/integrations/chat'),
      item('Tool', '/integrations/tool'),
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
      item('The service', '/packages/service'),
      item('Command line', '/packages/cli'),
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
        ].map((name) => item(name, `/packages/${name}`)),
      },
    ],
  },
]
