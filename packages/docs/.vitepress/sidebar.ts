import { existsSync, readdirSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

const item = (text: string, link: string): Item => ({ text, link })
const api = new URL('../api/', import.meta.url)

/** The pages that the build writes from the description of the API. */
const apiPages = (): Item[] =>
  (existsSync(api) ? readdirSync(api) : [])
    .filter((name) => name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''))
    .map((name) => item(name, `/api/${name}`))

/** The pages in the order in which they are read. */
export const sidebar: Item[] = [
  {
    text: 'Guides',
    items: [
      item('In-app messages', '/in-app'),
      item('Agents', '/agents'),
      item('Inbound email', '/inbound-email'),
      item('Move from @novu/framework', '/moving'),
    ],
  },
  {
    text: 'Production',
    items: [item('Run the service', '/deploy'), item('Security', '/security'), item('Performance', '/performance')],
  },
  {
    text: 'Reference',
    items: [
      item('Workflows: core', '/packages/core'),
      item('The service', '/packages/service'),
      item('Command line', '/packages/cli'),
      item('Testing', '/packages/testing'),
      item('Inbox components', '/packages/inbox'),
      item('Inbox API', '/inbox'),
      item('API client', '/packages/api-client'),
      item('Bridge client', '/packages/bridge-client'),
      item('Rules of the API', '/service-api'),
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
        ].map((name) => item(name, `/packages/${name}`)),
      },
    ],
  },
]
