import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Probe } from './base/probe.ts'
import { probes } from './probe-table.ts'

const folder = join(import.meta.dirname, 'probes')
const isProbe = (value: unknown): value is Probe => typeof value === 'object' && value !== null && 'run' in value

test.each(readdirSync(folder).filter((name) => !name.includes('.test.')))(
  'the table has every probe of %s',
  async (name) => {
    const exported = Object.values((await import(join(folder, name))) as object)
      .flat()
      .filter(isProbe)
    expect(exported.length).toBeGreaterThan(0)
    expect(exported.filter((probe) => !probes.includes(probe)).map((probe) => probe.name)).toEqual([])
  },
)

test('probes have different names', () => {
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length)
})
