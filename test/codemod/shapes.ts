/** A project as it was written for the former package. */
export interface Shape {
  readonly name: string
  /** Its files, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Texts that its files have afterwards, by path. */
  readonly after: Readonly<Record<string, readonly string[]>>
  /** What is remarked, as parts of the texts, in order. */
  readonly remarks: readonly string[]
}

const workflows = `import { workflow, CronExpression } from '@novu/framework'
import { z } from 'zod'

export const commentDigest = workflow(
  'comment-digest',
  async ({ step, payload }) => {
    const digest = await step.digest('daily', async () => ({ cron: CronExpression.MONDAY_TO_FRIDAY_AT_09_30AM }))
    await step.email(
      'mail',
      async (controls) => ({ subject: controls.subject, body: \`\${payload.author}: \${digest.events.length}\` }),
      { controlSchema: z.object({ subject: z.string().default('News') }), skip: () => digest.events.length === 0 },
    )
  },
  { payloadSchema: z.object({ author: z.string() }), tags: ['comments'] },
)
`
const movedWorkflows = ["from '@trestle/core'", "cron: '30 9 * * 1-5'", 'import { workflow } from']

const packageFile = (...others: string[]): string =>
  `${JSON.stringify({ name: 'app', dependencies: { '@novu/framework': '^2.6.0', ...Object.fromEntries(others.map((name) => [name, '*'])) } }, null, 2)}\n`

/** Projects of the kinds that are found in public. */
export const shapes: readonly Shape[] = [
  {
    name: 'Express with a client of its own',
    files: {
      'src/workflows.ts': workflows,
      'src/server.ts': `import express from 'express'
import { Client, serve } from '@novu/framework/express'
import { commentDigest } from './workflows'

const client = new Client({
  secretKey: process.env.NOVU_SECRET_KEY!,
  strictAuthentication: false,
  verbose: true,
})

const app = express()
app.use(express.json())
app.use('/api/novu', serve({ client, workflows: [commentDigest] }))
app.listen(4000)
`,
      'package.json': packageFile('express', 'zod'),
      '.env': 'NOVU_SECRET_KEY=abc\nexport NOVU_API_URL=https://api.test\nOTHER=NOVU_SECRET_KEY\n',
    },
    after: {
      'src/workflows.ts': movedWorkflows,
      'src/server.ts': [
        "import { serve } from '@trestle/express'",
        'const client = {\n  secretKey: process.env.SERVICE_SECRET_KEY!,\n  strictAuthentication: false,\n',
        'serve({ ...client, workflows: [commentDigest] })',
      ],
      'package.json': ['"@trestle/core": "^0.1.0"', '"@trestle/express": "^0.1.0"'],
      '.env': ['SERVICE_SECRET_KEY=abc\nexport SERVICE_API_URL=https://api.test\nOTHER=NOVU_SECRET_KEY\n'],
    },
    remarks: ['"verbose" is gone'],
  },
  {
    name: 'Next with the App Router',
    files: {
      'app/workflows.ts': workflows,
      'app/api/novu/route.ts': `import { serve } from "@novu/framework/next";
import { commentDigest } from "../../workflows";

export const { GET, POST, OPTIONS } = serve({ workflows: [commentDigest] });
`,
      'package.json': packageFile('next', 'zod'),
    },
    after: { 'app/api/novu/route.ts': ['from "@trestle/next"'], 'package.json': ['"@trestle/next"'] },
    remarks: [],
  },
  {
    name: 'Hono with the client in place',
    files: {
      'src/workflows.ts': workflows,
      'src/index.ts': `import { Client } from '@novu/framework'
import { serve } from '@novu/framework/hono'
import { Hono } from 'hono'
import { commentDigest } from './workflows'

const { env } = process
const app = new Hono()
app.all('/api/novu', serve({ workflows: [commentDigest], client: new Client({ secretKey: env['NOVU_SECRET_KEY'] ?? '' }) }))
export default app
`,
      'package.json': packageFile('hono', 'zod'),
    },
    after: {
      'src/index.ts': [
        "import { serve } from '@trestle/hono'",
        "serve({ workflows: [commentDigest], ...{ secretKey: env['SERVICE_SECRET_KEY'] ?? '' } })",
      ],
    },
    remarks: [],
  },
  {
    name: 'NestJS with injected services',
    files: {
      'src/workflows.ts': workflows,
      'src/app.module.ts': `import { Module } from '@nestjs/common'
import { Client } from '@novu/framework'
import { NovuModule } from '@novu/framework/nest'
import { commentDigest } from './workflows'

@Module({
  imports: [
    NovuModule.registerAsync({
      useFactory: () => ({ apiPath: '/api/novu', workflows: [commentDigest], client: new Client({ strictAuthentication: true }) }),
    }),
    NovuModule.register({ apiPath: '/api/other', workflows: [commentDigest], client: new Client() }),
  ],
})
export class AppModule {}
`,
      'package.json': packageFile('@nestjs/common', 'zod'),
    },
    after: {
      'src/app.module.ts': [
        "import { BridgeModule } from '@trestle/nest'",
        "BridgeModule.registerAsync({\n      useFactory: () => ({ path: '/api/novu', workflows: [commentDigest], ...{ strictAuthentication: true } })",
        "BridgeModule.register({ path: '/api/other', workflows: [commentDigest], ...{} })",
      ],
    },
    remarks: [],
  },
  {
    name: 'SvelteKit',
    files: {
      'src/lib/workflows.ts': workflows,
      'src/routes/api/novu/+server.ts': `import { serve } from '@novu/framework/sveltekit'
import { commentDigest } from '../../../lib/workflows'

export const { GET, POST, OPTIONS } = serve({ workflows: [commentDigest] })
`,
      'package.json': packageFile('zod'),
    },
    after: { 'src/routes/api/novu/+server.ts': ["from '@trestle/sveltekit'"] },
    remarks: [],
  },
  {
    name: 'Lambda, and what the former package let pass',
    files: {
      'src/handler.ts': `import { serve } from '@novu/framework/lambda'
import { workflow, CronExpression, SeverityLevelEnum } from '@novu/framework'
import { z } from 'zod'

const first = workflow('first', async ({ step }) => {
  await step.delay('soon', () => ({ cron: CronExpression.EVERY_YEAR }))
  await step.sms('text', () => ({ body: 'b', extra: 1 } as { body: string }))
}, { payloadSchema: z.object({}), severity: SeverityLevelEnum.HIGH as never })

export const handler = serve({ workflows: [first] })
`,
      'package.json': packageFile('zod'),
    },
    after: { 'src/handler.ts': ["cron: '0 0 1 1 *'", "import { workflow, SeverityLevelEnum } from '@trestle/core'"] },
    remarks: ['SeverityLevelEnum is not there', 'month 0'],
  },
  {
    name: 'CommonJS on Express',
    files: {
      'workflows.js': `const { workflow, CronExpression } = require('@novu/framework')

module.exports.reminder = workflow('reminder', async ({ step }) => {
  await step.delay('wait', () => ({ cron: CronExpression.EVERY_5_SECONDS }))
  await step.push('', () => ({ subject: 's', body: 'b', title: 't' }), { retries: 3 })
}, { payloadShema: {} })
`,
      'server.js': `const express = require('express')
const { serve, Client } = require('@novu/framework/express')
const { reminder } = require('./workflows')

const app = express()
app.use(express.json())
app.use('/api/novu', serve({ client: new Client({ secretKey: process.env.NOVU_SECRET_KEY }), workflows: [reminder] }))
`,
      'package.json': packageFile('express'),
    },
    after: {
      'workflows.js': ["const { workflow } = require('@trestle/core')"],
      'server.js': [
        "const { serve } = require('@trestle/express')",
        '...{ secretKey: process.env.SERVICE_SECRET_KEY }',
      ],
    },
    remarks: [
      'EVERY_5_SECONDS has no counterpart. It has seconds',
      'step id',
      '"retries": a step has no option',
      '"title": the output of push has no field',
      '"payloadShema": a workflow has no option',
    ],
  },
  {
    name: 'Remix and entries without a counterpart',
    files: {
      'app/routes/api.novu.ts': `import { serve } from '@novu/framework/remix'
import { workflow } from '@novu/framework'

const { action, loader } = serve({ workflows: [workflow('w', async ({ step }) => { await step.sms('s', () => ({ body: 'b' })) })] })
export { action, loader }
`,
      'app/validate.mjs': `import * as validators from '@novu/framework/validators'
export const lazy = () => import('@novu/framework')
export default validators
`,
      'package.json': packageFile(),
    },
    after: {
      'app/routes/api.novu.ts': ["from '@trestle/react-router'"],
      'app/validate.mjs': ["import('@trestle/core')", "'@novu/framework/validators'"],
    },
    remarks: ['"@novu/framework/validators" has no counterpart'],
  },
]
