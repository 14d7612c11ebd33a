import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choices, diceOf, program } from './draw.ts'
import { number } from './program.ts'
import { judge } from './service.ts'
import { toSource } from './source.ts'

// 200 programs with every change, 5 000 a night; FC_SEED plays the programs of an earlier run again.
const numRuns = Math.min(Number(process.env['FC_RUNS'] ?? 200), 5000)
const seed = Number(process.env['FC_SEED'] ?? 20261121)

test(`${numRuns} random programs come out as the reference says`, { timeout: 120_000 + numRuns * 1000 }, async () => {
  await fc.assert(
    fc.asyncProperty(program, choices, async (drawn, list) => {
      const numbered = number(drawn)
      const faults = await judge(numbered, diceOf(list))
      if (faults.length > 0)
        expect.fail(`${[...new Set(faults)].slice(0, 5).join('\n')}\n${drawn.schema}\n${toSource(numbered)}`)
    }),
    { numRuns, seed, endOnFailure: process.env['FC_SHRINK'] === 'no' },
  )
})
