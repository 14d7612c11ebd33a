import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { someOf } from '../scope.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const schemas = {
  zod: {
    head: "import { z } from 'zod'\n",
    payload: 'z.object({ id: z.string(), total: z.number().optional(), tags: z.array(z.string()) })',
    controls: "z.object({ title: z.string().default('T') })",
  },
  'JSON Schema': {
    head: '',
    payload:
      "{ type: 'object', properties: { id: { type: 'string' }, total: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } }, required: ['id', 'tags'], additionalProperties: false }",
    controls:
      "{ type: 'object', properties: { title: { type: 'string', default: 'T' } }, additionalProperties: false }",
  },
}

/** Counts the type instantiations for a file with this many workflows, each with three steps. */
function countInstantiations(kind: keyof typeof schemas, count: number): number {
  const { head, payload, controls } = schemas[kind]
  const workflows = Array.from(
    { length: count },
    (_, index) => `
export const order${index} = workflow('order-${index}', async ({ step, payload }) => {
  const inbox = await step.inApp('tell', () => ({ body: \`Order \${payload.id}\` }))
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
  await step.email('mail', (own) => ({ subject: own.title, body: payload.tags.join() }), {
    controlSchema: ${controls},
    skip: () => inbox.read,
  })
}, { payloadSchema: ${payload} })
`,
  )
  const folder = mkdtempSync(join(here, '.measure-'))
  try {
    writeFileSync(
      join(folder, 'workflows.ts'),
      `import { workflow } from '@trestle/core'\n${head}${workflows.join('')}`,
    )
    const compilerOptions = { noEmit: true, declaration: false, isolatedDeclarations: false }
    const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['workflows.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const report = execFileSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' })
    return Number(/Instantiations:\s+(\d+)/.exec(report)?.[1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const limits: readonly [keyof typeof schemas, number, number][] = [
  ['JSON Schema', 100, 400_000],
  ['JSON Schema', 1, 27_000],
  ['zod', 100, 150_000],
  ['zod', 1, 25_000],
]

// Many workflows make the cost of one measurable, and each compilation is slow.
test.each(someOf(limits, 1))(
  '%s: keeps %i workflows within %i instantiations',
  (kind, count, most) => {
    const instantiations = countInstantiations(kind, count)
    expect(instantiations).toBeGreaterThan(1000)
    expect(instantiations).toBeLessThanOrEqual(most)
  },
  60_000,
)
