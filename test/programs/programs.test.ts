import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { draws } from '../scope.ts'
import { choices, diceOf, program } from './draw.ts'
import { finals, judgeByNext } from './next-service.ts'
import { number } from './program.ts'
import { judge, refused } from './service.ts'
import { toSource } from './source.ts'

// FC_SEED regenerates the programs of an earlier run.
const seed = Number(process.env['FC_SEED'] ?? 20261121)

// Some responses wait for inactivity, so several programs run concurrently.
const parts = 8
// The number of smaller programs to try after a failure.
const maxShrinks = 150

const services = [
  ['follows the list', judge, draws(40, 2000)],
  ['follows the run', judgeByNext, draws(120, 2000)],
] as const

afterAll(() => expect(finals.count, 'replies that report the final step').toBeGreaterThan(0))

describe.concurrent('random programs match the reference', () => {
  test.each(
    Array.from({ length: parts }, (_, part) => part).flatMap((part) => services.map((one) => [...one, part] as const)),
  )(
    'run by a service that $0, part $3',
    { timeout: 300_000 + draws(120, 2000) * 1000 },
    async (_name, judged, numRuns, part) => {
      let refusals = 0
      let shrinks: number | undefined
      await fc.assert(
        fc.asyncProperty(program, choices, async (drawn, list) => {
          if (shrinks !== undefined && shrinks++ > maxShrinks) return
          const numbered = number(drawn)
          const all = await judged(numbered, diceOf(list))
          const faults = all.filter((fault) => !fault.startsWith(refused))
          if (all.length > faults.length) refusals++
          const faultText = [...new Set(faults)].slice(0, 5).join('\n')
          if (faults.length === 0) return
          shrinks ??= 0
          throw new Error(`${faultText}\n${drawn.schema}\n${toSource(numbered)}`)
        }),
        { numRuns: Math.ceil(numRuns / parts), seed: seed + part },
      )
      // A list cannot express every order of every program. About one of 3,000 programs is rejected, so a few are
      // allowed in each part of the nightly run, and none in the daily run.
      expect(refusals).toBeLessThanOrEqual(Math.floor(numRuns / 1000))
    },
  )
})
