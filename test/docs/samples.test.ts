import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { testBridge } from '@trestle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repository.ts'
import { pathOf, readSamples, type Sample, writeSamples } from './samples.ts'

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  jsx: 'react-jsx',
  target: 'es2023',
  module: 'preserve',
  experimentalDecorators: true,
  // The alias of SvelteKit.
  paths: { '$lib/*': ['./start-index/app/*'] },
  types: ['node', 'react'],
}

const samples = readSamples()
const whole = samples.filter(({ code }) => /^import /m.test(code))
const runnable = whole.filter(({ code }) => /^export const \w+ = workflow\(/m.test(code))
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(fileURLToPath(new URL('.samples-', import.meta.url)))
  writeSamples(folder, whole)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const titleOf = ({ page, line }: Sample): string => `${page}:${line}`

describe('code samples of the pages', () => {
  test('are complete, so that they can be copied', () => {
    expect(whole.length).toBeGreaterThan(30)
    const parts = samples.filter((sample) => !whole.includes(sample))
    expect(parts.map(titleOf)).toEqual([])
  })

  test('compile with the strictest options', () => {
    const files = whole.map((sample) => pathOf(folder, sample))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const args = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', folder]
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect({ faults: stdout, status }).toEqual({ faults: '', status: 0 })
  })
})

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns a value that a schema accepts: its default or first choice, otherwise a fixed value of its type. */
function sampleOf({ type, format, items = {}, properties = {}, ...schema }: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (type === 'array') return [sampleOf(items), sampleOf(items)]
  if (type === 'number' || type === 'integer') return 3
  if (type === 'boolean') return true
  if (format === 'date-time') return '2100-01-01T00:00:00Z'
  if (format === 'uri') return 'https://example.com/'
  if (type !== 'object') return 'text'
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, sampleOf(one)]))
}

// A sample signs links with it.
process.env['UNSUBSCRIBE_SECRET'] ??= 'secret'

describe('workflows of the pages run to their end', () => {
  test('and there are many of them', () => {
    expect(runnable.length).toBeGreaterThan(15)
  })

  test.each(runnable.map((sample) => [titleOf(sample), sample] as const))('%s', async (_title, sample) => {
    const module = await import(pathToFileURL(pathOf(folder, sample)).href)
    const names = [...sample.code.matchAll(/^export const (\w+) = workflow\(/gm)].map(([, name = '']) => name)
    for (const one of names.map((name) => module[name])) {
      // A workflow that triggers others is exported in a list with them.
      const bridge = testBridge({ workflows: module.workflows ?? [one] })
      const { workflows } = await bridge.discover()
      const manifest = workflows.find(({ workflowId }) => workflowId === one.id)
      const schema = manifest?.payload.schema as Schema | undefined
      const payload = sampleOf({ ...schema, type: 'object' }) as Record<string, unknown>
      const run = await bridge.run(one, { payload, network: 'refuse' })
      expect(run.errors).toEqual([])
      expect(run.status).toBe('completed')
      expect(Object.keys(run.steps).length).toBeGreaterThan(0)
      // Ids from a loop cannot all be listed; the run finds them.
      const warnings = (manifest?.warnings ?? []).filter(({ code }) => code !== 'DiscoveryIncomplete')
      expect(warnings).toEqual([])
    }
  })
})
