/** A project that uses the legacy package. */
export interface Shape {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Texts that its files contain afterwards, by path. */
  readonly after: Readonly<Record<string, readonly string[]>>
  /** The expected remarks, in order, each given as a part of its text. */
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

/** Kinds of projects that are found in public repositories. */
export const shapes: readonly Shape[] = [
  {
    name: 'Express with its own client',
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
        "import { novu } from '@trestle/core/novu'",
        'serve({ ...client, workflows: [commentDigest], service: novu })',
      ],
      'package.json': ['"@trestle/core": "^0.1.0"', '"@trestle/express": "^0.1.0"'],
      '.env': ['SERVICE_SECRET_KEY=abc\nexport SERVICE_API_URL=https://api.test\nOTHER=NOVU_SECRET_KEY\n'],
    },
    remarks: ['accepts unsigned calls', '"verbose" was removed', 'Mount the bridge before it'],
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
    after: {
      'app/api/novu/route.ts': [
        'import { novu } from "@trestle/core/novu";\nimport { serve } from "@trestle/next";\n',
        'serve({ workflows: [commentDigest], service: novu });',
      ],
      'package.json': ['"@trestle/next"'],
    },
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
        "serve({ workflows: [commentDigest], ...{ secretKey: env['NOVU_SECRET_KEY'] ?? '' }, service: novu })",
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
      'package.json': packageFile('@nestjs/common', 'zod').replace('common": "*', 'common": "^10 || ^11.1.0'),
    },
    after: {
      'src/app.module.ts': [
        "import { BridgeModule } from '@trestle/nest'",
        "BridgeModule.registerAsync({\n      useFactory: () => ({ path: '/api/novu', workflows: [commentDigest], ...{ strictAuthentication: true }, service: novu })",
        "BridgeModule.register({ path: '/api/other', workflows: [commentDigest], ...{}, service: novu })",
      ],
    },
    remarks: ['NestJS 11 is too old'],
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
    after: {
      'src/handler.ts': ["cron: '0 0 1 1 *'", "import { workflow } from '@trestle/core'", "severity: 'high' as never"],
    },
    remarks: ['month 0', '"extra": the output of sms'],
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
      'workflows.js': ["const { workflow } = require('@trestle/core')", "cron: '*/5 * * * * *'"],
      'server.js': [
        "const { serve } = require('@trestle/express')",
        "const { novu } = require('@trestle/core/novu')\n",
        '...{ secretKey: process.env.SERVICE_SECRET_KEY }, workflows: [reminder], service: novu }',
      ],
    },
    remarks: [
      'Mount the bridge before it',
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
  {
    name: 'a monorepo with the Pages Router, React Email and Zod 3',
    files: {
      'package.json': `${JSON.stringify({ private: true, devDependencies: { '@novu/framework': '2' } })}\n`,
      'apps/web/pages/api/novu.ts': `import { serve, type ServeHandlerOptions } from '@novu/framework/next'
import { welcome } from '../../../../packages/mails/src/welcome'

const options: ServeHandlerOptions = { workflows: [welcome] }

export default serve(options)
`,
      'apps/web/src/env.ts': `import { z } from 'zod'

const schema = z.object({ NOVU_SECRET_KEY: z.string().min(1), NOVU_API_URL: z.string().optional() })
export const { NOVU_SECRET_KEY, NOVU_API_URL: address } = schema.parse({ ...process.env })
export const key: string = NOVU_SECRET_KEY
`,
      'apps/web/.env.local': 'NOVU_SECRET_KEY=abc\n',
      'apps/web/package.json': packageFile('next', '@novu/api'),
      'packages/mails/src/welcome.tsx': `/** @jsxImportSource react */
import {
  workflow, // of both
  CronExpression,
} from "@novu/framework/next";
import { render } from "@react-email/components";
import { z } from "zod";

const Mail = ({ name }: { name: string }) => <p>Hello {name}</p>;

export const welcome = workflow(
  "welcome",
  async ({ step, payload }) => {
    await step.delay("wait", async () => ({ cron: CronExpression["EVERY_HOUR"] }));
    await step.email("mail", async () => ({ subject: "Hello", body: await render(<Mail name={payload.name} />) }));
  },
  { payloadSchema: z.object({ name: z.string() }) },
);
`,
      'packages/mails/package.json': `${JSON.stringify({ name: 'mails', peerDependencies: { '@novu/framework': '^2' }, dependencies: { zod: '^3.23.8' } })}\n`,
    },
    after: {
      'package.json': ['{"private":true,"devDependencies":{"@trestle/core":"^0.1.0"}}\n'],
      'apps/web/pages/api/novu.ts': [
        "import { serve } from '@trestle/next/pages'\nimport { type BridgeOptions } from '@trestle/core'",
        'const options: BridgeOptions =',
        'export default serve({ ...options, service: novu })\nexport const config = { api: { bodyParser: false } }\n',
      ],
      'apps/web/src/env.ts': [
        'z.object({ NOVU_SECRET_KEY: z.string().min(1), NOVU_API_URL: z.string().optional() })',
        'key: string = NOVU_SECRET_KEY',
      ],
      'apps/web/.env.local': ['NOVU_SECRET_KEY=abc\nSERVICE_SECRET_KEY=abc\n'],
      'apps/web/package.json': ['"@trestle/core": "^0.1.0"', '"@trestle/next": "^0.1.0"'],
      'packages/mails/src/welcome.tsx': [
        '// of both\nimport { workflow } from "@trestle/core";',
        "cron: '0 * * * *'",
        '<Mail name={payload.name} />',
      ],
      'packages/mails/package.json': ['"peerDependencies":{"@trestle/core":"^0.1.0"}'],
    },
    remarks: ['"@novu/api" reads NOVU_SECRET_KEY itself', 'Zod 3.23 is too old'],
  },
  {
    name: 'NestJS with its configuration, and a name that is taken',
    files: {
      'src/workflows.ts': workflows,
      'src/notifications.module.ts': `import { Module } from '@nestjs/common'
import { Client as BridgeClient, NovuModule as Bridge } from '@novu/framework/nest'
import { commentDigest } from './workflows'

class ConfigService {
  get(name: string): string | undefined {
    return process.env[name]
  }
}
const novu = { name: 'the client of the REST API' }
export { novu }

@Module({
  imports: [
    Bridge.registerAsync({
      inject: [ConfigService],
      useFactory(config: ConfigService) {
        const client = new BridgeClient({
          secretKey: config.get('NOVU_SECRET_KEY') ?? '',
          apiUrl: config.get('NOVU_API_URL') ?? 'https://notify.example.com',
        })
        return {
          apiPath: '/api/novu',
          client,
          workflows: [commentDigest],
          controllerDecorators: [],
        }
      },
    }),
  ],
})
export class NotificationsModule {}
`,
      'package.json': packageFile('@nestjs/common', 'zod'),
    },
    after: {
      'src/notifications.module.ts': [
        "import { BridgeModule as Bridge } from '@trestle/nest'",
        "import { novu as novuService } from '@trestle/core/novu'",
        "secretKey: config.get('NOVU_SECRET_KEY') ?? '',",
        '...client,\n          workflows: [commentDigest], service: novuService,\n        }',
      ],
    },
    remarks: ['The option "controllerDecorators" was removed: the bridge is a middleware'],
  },
  {
    name: 'CommonJS that takes all of a module at once',
    files: {
      'notify.js': `'use strict'
const { serve, workflow: define, Client } = require("@novu/framework/express");
const framework = require("@novu/framework");
const express = require("express");

const hello = define("hello", async ({ step }) => {
  await step.inApp("tell", () => ({ body: "Hello" }));
});
const bye = framework.workflow("bye", async ({ step }) => {
  await step.inApp("tell", () => ({ body: "Bye" }));
});
const settings = { workflows: [hello, bye] };
module.exports = (app) => app.use("/api/novu", express.json(), serve(settings));
`,
      'pages/api/novu.js': `const { serve } = require('@novu/framework/next');
const handler = serve({});
module.exports = handler;
module.exports.maxDuration = 10;
`,
      'lazy.cjs': `const { CronExpression } = require('@novu/framework')
exports.load = async () => {
  const { serve, workflow } = await import('@novu/framework/hono')
  return serve({ workflows: [workflow('w', async ({ step }) => { await step.delay('d', () => ({ cron: CronExpression.EVERY_HOUR })) })] })
}
`,
      'package.json': packageFile('express'),
    },
    after: {
      'notify.js': [
        "'use strict'\n",
        'const { serve } = require("@trestle/express");\nconst { workflow: define } = require("@trestle/core");\nconst framework = require("@trestle/core");',
        'const { novu } = require("@trestle/core/novu");\n',
        'serve({ ...settings, service: novu })',
      ],
      'pages/api/novu.js': [
        "const { serve } = require('@trestle/next/pages');",
        'const handler = serve({ service: novu });',
        'module.exports.maxDuration = 10;\nmodule.exports.config = { api: { bodyParser: false } };\n',
      ],
      'lazy.cjs': [
        "const { serve } = await import('@trestle/hono')",
        "\n  const { workflow } = await import('@trestle/core')",
        "const { novu } = require('@trestle/core/novu')\n",
        ', service: novu })',
        "cron: '0 * * * *'",
      ],
      'package.json': ['"@trestle/express"', '"@trestle/hono"'],
    },
    remarks: [],
  },
  {
    name: 'Remix as it was documented',
    files: {
      'app/novu/workflows.ts': workflows,
      'app/routes/api.novu.ts': `import { serve } from '@novu/framework/remix'
import { commentDigest } from '../novu/workflows'

const handler = serve({
  workflows: [commentDigest],
})

export { handler as action, handler as loader }
`,
      'app/routes/api.second.ts': `import { serve } from '@novu/framework/remix'
import { commentDigest } from '../novu/workflows'

const answer = serve({ workflows: [commentDigest] })
export const loader = answer
export async function action({ request }: { request: Request }): Promise<Response> {
  return answer({ request })
}
`,
      'app/routes/api.third.ts': `import { serve } from '@novu/framework/remix'
import { commentDigest } from '../novu/workflows'

export const loader = serve({ workflows: [commentDigest] })
export const action = loader
`,
      'package.json': packageFile('zod'),
    },
    after: {
      'app/routes/api.novu.ts': [
        'const { action, loader } = serve({\n  workflows: [commentDigest], service: novu,\n})',
        'export { action, loader }',
      ],
      'app/routes/api.second.ts': ['export const loader = answer.loader', 'return answer.action({ request })'],
      'app/routes/api.third.ts': ['export const loader = serve({ workflows: [commentDigest], service: novu }).loader'],
    },
    remarks: [],
  },
  {
    name: 'Remix, in its own form',
    files: {
      'app/routes/api.novu.ts': `import { serve } from '@novu/framework/remix'

const handler = serve({ workflows: [] })
export default { fetch: handler }
`,
      'app/routes/api.second.ts': `import { serve } from '@novu/framework/remix'

const answer = serve({ workflows: [] })
export { answer as loader }
export const action = (route: { request: Request }): Promise<Response> => answer(route)
`,
      'package.json': packageFile(),
    },
    after: { 'app/routes/api.second.ts': ['=> answer.action(route)'] },
    remarks: ['serve returns { loader, action } here', 'serve returns { loader, action } here'],
  },
  {
    name: 'a client and options with custom names',
    files: {
      'src/workflows.ts': workflows,
      'src/client.ts': `import { Client } from '@novu/framework'

export const client: Client = new Client({ secretKey: process.env['NOVU_SECRET_KEY'] as string })
export const makeClient = (): Client => new Client({ strictAuthentication: false })
`,
      'src/server.ts': `import express from 'express'
import { serve, type ServeHandlerOptions, Client } from '@novu/framework/express'
import { client as shared } from './client'
import { commentDigest } from './workflows'

const settings = { strictAuthentication: false }
const client = new Client(settings)
const common = { client } as const
const options: ServeHandlerOptions = { ...common, workflows: [commentDigest] }
const others = { client: shared satisfies Client, workflows: [] }

const app = express()
app.use('/api/novu', serve(options))
app.use('/api/other', serve(others))
`,
      'package.json': `\uFEFF${packageFile('express', 'zod')}`,
      '.env': '\uFEFFNOVU_SECRET_KEY=abc\r\n',
    },
    after: {
      'src/client.ts': [
        "import { type BridgeOptions } from '@trestle/core'",
        "export const client: BridgeOptions = { secretKey: process.env['SERVICE_SECRET_KEY'] as string }",
        'export const makeClient = (): BridgeOptions => ({ strictAuthentication: false })',
      ],
      'src/server.ts': [
        'const client = settings\nconst common = { ...client } as const',
        'const others = { ...shared satisfies BridgeOptions, workflows: [] }',
        'serve({ ...options, service: novu })',
      ],
      'package.json': ['\uFEFF{', '"@trestle/express"'],
      '.env': ['\uFEFFSERVICE_SECRET_KEY=abc\r\n'],
    },
    remarks: ['accepts unsigned calls', 'accepts unsigned calls'],
  },
  {
    name: 'a client and names that are used in other ways',
    files: {
      'a.ts': `import * as framework from '@novu/framework'
import { Client, CronExpression } from '@novu/framework'
import { serve } from '@novu/framework/hono'
import { options } from './options'

class Own extends Client {}
const times = Object.values(CronExpression)
const client = new Client()
client.healthCheck()
const other = new framework.Client()
export const handlers = [serve(options), Own, times, other]
`,
      'b.ts': `export { Client } from '@novu/framework'\n`,
      'package.json': packageFile(),
    },
    after: {},
    remarks: [
      'Client no longer exists',
      'CronExpression no longer exists',
      'A client is now a plain options object',
      'Client no longer exists',
      'These options are created elsewhere',
      'cannot be re-exported',
    ],
  },
  {
    name: 'variables whose new names are taken',
    files: {
      'src/workflows.ts': workflows,
      'src/server.ts': `import { Client, serve } from '@novu/framework/hono'
import { commentDigest } from './workflows'

const stock = process.env.SERVICE_API_URL
export const ask = (): Promise<Response> => fetch(\`\${stock}/items\`)
const client = new Client({ apiUrl: process.env.NOVU_API_URL!, secretKey: process.env.NOVU_SECRET_KEY! })
export default serve({ client, workflows: [commentDigest] })
`,
      'package.json': packageFile('hono', 'zod'),
      '.env': 'SERVICE_API_URL=https://stock.test\nNOVU_API_URL=https://api.test\nNOVU_SECRET_KEY=abc\n',
    },
    after: {
      'src/server.ts': ['apiUrl: process.env.NOVU_API_URL!, secretKey: process.env.SERVICE_SECRET_KEY!'],
      '.env': ['SERVICE_API_URL=https://stock.test\nNOVU_API_URL=https://api.test\nSERVICE_SECRET_KEY=abc\n'],
    },
    remarks: ['pass the option apiUrl to serve', 'pass the option apiUrl to serve'],
  },
  {
    name: 'variables that are read by more than the bridge',
    files: {
      'src/workflows.ts': workflows,
      'src/server.ts': `import { serve } from '@novu/framework/hono'
import { commentDigest } from './workflows'
import { env } from './env'

export const isStrict = process.env.NOVU_STRICT_AUTHENTICATION_ENABLED === 'true'
export default serve({ secretKey: env.NOVU_SECRET_KEY, workflows: [commentDigest] })
`,
      'src/env.ts': `import { z } from 'zod'

export const env = z.object({ NOVU_SECRET_KEY: z.string() }).parse(process.env)
`,
      'compose.yaml': 'services: { app: { environment: { NOVU_API_URL: "${NOVU_API_URL}" } } }\n',
      'package.json': packageFile('hono', 'zod'),
      '.env': [
        'export NOVU_SECRET_KEY="abc"  # of the service',
        'NOVU_API_KEY=abc',
        'NOVU_API_URL=https://api.test',
        '  NOVU_STRICT_AUTHENTICATION_ENABLED=true',
      ].join('\n'),
    },
    after: {
      'src/server.ts': ['process.env.NOVU_STRICT_AUTHENTICATION_ENABLED ===', 'env.NOVU_SECRET_KEY'],
      'src/env.ts': ['NOVU_SECRET_KEY'],
      '.env': [
        [
          'export NOVU_SECRET_KEY="abc"  # of the service',
          'export SERVICE_SECRET_KEY="abc"  # of the service',
          'SERVICE_API_KEY=abc',
          'NOVU_API_URL=https://api.test',
          'SERVICE_API_URL=https://api.test',
          '  NOVU_STRICT_AUTHENTICATION_ENABLED=true',
          'SERVICE_STRICT_AUTHENTICATION_ENABLED=true',
        ].join('\n'),
      ],
    },
    remarks: [],
  },
  {
    name: 'Modules named in other ways than by imports',
    files: {
      'package.json': packageFile(),
      'src/types.ts': `export type Made = import('@novu/framework').Workflow
export type Served = import('@novu/framework').ServeHandlerOptions
export type Whole = typeof import('@novu/framework')
`,
      'src/former.cts': `import framework = require('@novu/framework')
export declare const made: framework.Workflow
`,
      'src/lines.ts': `import { workflow } from '@novu/framework'\r
import { Client, serve } from '@novu/framework/express'\r
export const handler = serve({ workflows: [], client: new Client({}) })\r
export const made = workflow\r
`,
      'src/later.mjs': `export const later = () => import(\`@novu/framework\`)
`,
      'src/place.cjs': `module.exports = require.resolve('@novu/framework/express')
`,
      'src/made.test.mjs': `import { vi } from 'vitest'
vi.mock('@novu/framework', () => ({ workflow: vi.fn() }))
vi.unmock('@novu/framework/next')
`,
      'src/page.vue': `<script setup lang="ts">
import { workflow } from '@novu/framework'
</script>
`,
      'types/former.d.ts': `declare module '@novu/framework' {}
`,
      'next.config.mjs': `export default { serverExternalPackages: ['@novu/framework', '@novu/framework/nothing'] }
`,
    },
    after: {
      'src/types.ts': [
        "import('@trestle/core').Workflow",
        "import('@trestle/core').BridgeOptions",
        "typeof import('@trestle/core')",
      ],
      'src/former.cts': ["framework = require('@trestle/core')"],
      'src/lines.ts': [
        "import { workflow } from '@trestle/core'\r\nimport { serve } from '@trestle/express'\r\n",
        "import { novu } from '@trestle/core/novu'\r\n",
      ],
      'src/later.mjs': ['import(`@trestle/core`)'],
      'src/place.cjs': ["require.resolve('@trestle/express')"],
      'src/made.test.mjs': ["vi.mock('@trestle/core'", "vi.unmock('@trestle/next')"],
      'next.config.mjs': ["'@novu/framework', '@novu/framework/nothing'"],
    },
    remarks: [
      'its successor is @trestle/core',
      '"@novu/framework/nothing" has no counterpart',
      'This mocks the former package',
      'Files of this type are not changed',
      'Files of this type are not changed',
    ],
  },
  {
    name: 'modules that are loaded when they are needed',
    files: {
      'package.json': packageFile(),
      'src/lazy.js': `export const run = () =>
  import('@novu/framework').then(({ workflow, CronExpression: C }) =>
    workflow('lazy', async ({ step }) => void (await step.delay('wait', () => ({ cron: C.EVERY_HOUR }))))
  )
export const client = import('@novu/framework').then((all) => new all.Client({}))
export const none = (name) => import(\`@novu/framework/\${name}\`)
`,
      'src/all.ts': `import framework, { workflow } from '@novu/framework'
export const all = [framework, workflow]
`,
    },
    after: {
      'src/lazy.js': ["import('@trestle/core').then(({ workflow", "cron: '0 * * * *'"],
      'src/all.ts': ["import framework, { workflow } from '@trestle/core'"],
    },
    remarks: ['@trestle/core has no default export', 'Client no longer exists', 'This name is computed'],
  },
  {
    name: 'a module that hands on all names of the former package',
    files: {
      'package.json': packageFile(),
      'src/barrel.ts': "export * from '@novu/framework'\nexport * as framework from '@novu/framework'\n",
      'src/flow.ts': `import { workflow } from './barrel'
export const flow = workflow('flow', async () => {})
`,
    },
    after: { 'src/barrel.ts': ["export * from '@trestle/core'\nexport * as framework from '@trestle/core'\n"] },
    remarks: ['Other files import names', 'Other files import names'],
  },
  {
    name: 'what compilers take besides the language',
    files: {
      'package.json': packageFile(),
      'src/accessors.ts': `import { workflow } from '@novu/framework'
const seen = (..._: unknown[]): void => undefined
export class Store { @seen accessor value = workflow('a', async () => {}) }
`,
      'src/decorated.ts': `import { workflow } from '@novu/framework'
const seen = (..._: unknown[]): void => undefined
export @seen class Store { value = workflow('b', async () => {}) }
`,
      'src/using.mts': `import data from './data.json' with { type: 'json' }
import old from './old.json' assert { type: 'json' }
import { workflow } from '@novu/framework'
using held = { [Symbol.dispose]() {} }
export const made = [workflow('c', async () => {}), data, old, held]
`,
      'src/flow.js': `// @flow
import { workflow } from '@novu/framework'
type Exact = {| name: ?string |}
export const made = (found: Exact) => workflow('d', async () => {})
`,
    },
    after: {
      'src/accessors.ts': ["from '@trestle/core'"],
      'src/decorated.ts': ["from '@trestle/core'", 'export @seen class'],
      'src/using.mts': ["import { workflow } from '@trestle/core'", 'with {', 'assert {'],
      'src/flow.js': ["from '@trestle/core'", '{| name: ?string |}'],
    },
    remarks: [],
  },
  {
    name: 'a workspace whose settings name the former package',
    files: {
      'package.json': `${JSON.stringify(
        {
          private: true,
          overrides: { '@novu/framework': '2.6.0' },
          pnpm: { overrides: { 'app>@novu/framework@2': '2.6.0' }, onlyBuiltDependencies: ['@novu/framework'] },
        },
        null,
        2,
      )}\n`,
      'app/package.json': packageFile(),
      'app/tsconfig.json': '{ "compilerOptions": { "types": ["node", "@novu/framework"] } }\n',
      'app/notes.mdx': 'import { workflow } from "@novu/framework"\n',
      'app/read.ts': 'export const key = process.env.NOVU_SECRET_KEY\n',
      'app/.env': 'NOVU_SECRET_KEY=abc\nexport NOVU_API_KEY=def\n',
    },
    after: {
      // A second run still finds the legacy package, but does not add the line again.
      'app/.env': ['NOVU_SECRET_KEY=abc\nSERVICE_SECRET_KEY=abc\nexport SERVICE_API_KEY=def\n'],
    },
    remarks: [
      '"@novu/framework" is named in overrides',
      '"@novu/framework" is named in pnpm.overrides',
      '"@novu/framework" is named in pnpm.onlyBuiltDependencies',
      'Files of this type are not changed',
      'Files of this type are not changed',
    ],
  },
  {
    name: 'steps that were let pass, in the forms that are found in public',
    files: {
      'app/workflows.ts': `import { Client, serve, workflow } from '@novu/framework/next'
import { z } from 'zod'

const controlSchema = z.object({
  subject: z.string().default('Welcome {{userName}}, {{ payload.plan }}{% for item in payload.items %}{{ item }}{% endfor %}'),
})
export const client = new Client({ apiKey: process.env.KEY })
export const { GET, POST } = serve({ client, workflows: [], path: '/api' })

export const invited = workflow('invited', async ({ step, payload }) => {
  await step.inApp('inbox', async () => {
    const result: any = { body: 'b', primaryAction: { label: 'Open', url: payload.url } }
    return result
  })
  await step.push('push', async () => {
    if (payload.many) {
      return { subject: 'a', body: 'b', badge: 3 }
    }
    return payload.icon ? { subject: 'a', body: 'b', icon: payload.icon } : { title: 'a', body: 'b' }
  })
  await step.email('mail', async (controls) => ({ subject: controls.subject, body: 'b' }), { controlSchema })
  await step.sms('sms', async () => ({ body: 'b' }), { inputSchema: { type: 'object' } })
  await step.delay('wait', { amount: 3, unit: 'days' })
  const limited = await step.run('check', async () => ({ limited: false }))
})
export const whole = workflow('whole', { tags: [] }, async (event) => {
  const result = { body: 'b', kind: 'news' }
  await event.step.inApp('inbox', () => result)
})
`,
      'app/mail.ts': `import { workflow } from '@novu/framework'
import { controls as mailControls } from './schemas'
export const mail = workflow('mail', async ({ step }) => {
  await step.email('mail', async (controls) => ({ ...controls, body: 'b' }), { controlSchema: mailControls })
})
`,
      'app/schemas.ts': `import { z } from 'zod'
export const controls = z.object({ subject: z.string().default('Hi {{firstName}}, {{subscriber.lastName}}') })
export const other = 'For {{ another }} engine'
`,
      'package.json': packageFile('next', 'zod'),
    },
    after: { 'app/workflows.ts': ["from '@trestle/next'", '...client'] },
    remarks: [
      'The fields of this object are not visible here. The output of email only takes: subject, body,',
      '{{ firstName }}: templates have no variable with that name',
      '{{ userName }}: templates have no variable with that name; with service: novu it prints nothing. Payload fields are written {{ payload.userName }}.',
      '"apiKey": serve has no option with that name. Use secretKey.',
      '"url": primaryAction has no field with that name. The target URL of a button is in its redirect',
      '"badge": the output of push has no field with that name. Return other fields for a provider',
      '"icon": the output of push',
      '"title": the output of push has no field with that name. Use subject.',
      '"inputSchema": a step has no option with that name. Use controlSchema.',
      'The second argument of a step is a function',
      'step.run does not exist.',
      'The workflow function is the second argument',
      '"kind": the output of inApp has no field with that name. Custom fields go in data.',
    ],
  },
]
