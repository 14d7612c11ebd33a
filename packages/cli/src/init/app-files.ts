/** The code style of an app's files. */
export interface FileStyle {
  /** The extension of source files. */
  readonly ending: 'ts' | 'js' | 'mjs' | 'cjs'
  /** Whether they use `require`. */
  readonly isCommonJs: boolean
  /** Whether Zod 4 describes the payload; otherwise plain JSON Schema does. */
  readonly hasZod: boolean
}

/** The path of the bridge in new apps. */
export const bridgePath = '/api/bridge'

/**
 * Returns a first workflow, which the app's developer can adapt.
 *
 * @param style - The code style of the app.
 */
export function workflowsFile({ isCommonJs, hasZod, ending }: FileStyle): string {
  const imports = [
    fromPackage(['escapeHtml', 'workflow'], '@trestle/core', isCommonJs),
    ...(hasZod ? [fromPackage(['z'], 'zod', isCommonJs)] : []),
  ]
  const schema = hasZod
    ? 'z.object({ name: z.string() })'
    : `{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false }${ending === 'ts' ? ' as const' : ''}`
  const controls = hasZod
    ? "z.object({ subject: z.string().default('Welcome, {{ payload.name }}') })"
    : `{ type: 'object', properties: { subject: { type: 'string', default: 'Welcome, {{ payload.name }}' } }, required: ['subject'], additionalProperties: false }${ending === 'ts' ? ' as const' : ''}`
  return `${imports.join('\n')}

// In the inbox at once, and by email a day later if it was not read there.
${isCommonJs ? '' : 'export '}const welcome = workflow(
  'welcome',
  async ({ step, payload }) => {
    const inbox = await step.inApp('inbox', () => ({ body: \`Welcome, \${escapeHtml(payload.name)}\` }))

    await step.delay('wait', () => ({ amount: 1, unit: 'days' }))

    await step.email(
      'mail',
      ({ subject }) => ({ subject, body: \`<p>Good to have you here, \${escapeHtml(payload.name)}.</p>\` }),
      {
        controlSchema: ${controls},
        skip: () => inbox.read,
      },
    )
  },
  {
    payloadSchema: ${schema},
  },
)

${isCommonJs ? 'module.exports = { workflows: [welcome], welcome }' : 'export const workflows = [welcome]'}
`
}

/** Returns the statement that imports names from a package or file. */
export function fromPackage(names: readonly string[], from: string, isCommonJs: boolean): string {
  const list = `{ ${names.join(', ')} }`
  return isCommonJs ? `const ${list} = require('${from}')` : `import ${list} from '${from}'`
}

/** The server of a new app. */
export const serverFile: string = `import { serve as listen } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { workflows } from './workflows.ts'

const app = new Hono()

app.all('${bridgePath}', serve({ workflows }))

listen({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) => {
  console.log(\`The bridge is at http://localhost:\${port}${bridgePath}\`)
})
`

/** The TypeScript compiler options of the build of a new app: without tests, which a test runner would find twice. */
export const buildConfigFile: string = `{
  "extends": "./tsconfig.json",
  "exclude": ["src/**/*.test.ts"]
}
`

/**
 * The production environment of a new app. Node reads this file itself, so that the script works in every shell.
 * Existing variables take precedence.
 */
export const productionFile: string = `# This file is committed, so it must not contain secrets. Set these variables in the environment of the process:
#   SERVICE_SECRET_KEY   the secret key of the environment that calls the bridge
#   SERVICE_API_URL      the URL of the service

# Without it, the bridge accepts unsigned calls.
NODE_ENV=production
`

/** The files of a new app that are not committed. Replay reports without `--mask` contain personal data. */
export const ignoreFile: string = `node_modules/
dist/
.trestle/
.env*
!.env.example
previews/
replay.html
`

/** The TypeScript compiler options of a new app. */
export const tsconfigFile: string = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "skipLibCheck": true,
    "rewriteRelativeImportExtensions": true,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`
