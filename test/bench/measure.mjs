import { toBodies, toRequest } from './requests.mjs'
import { spend } from './spend.mjs'
import { floor, trestle } from './subjects.mjs'

const [, , subject = 'floor', stepsText = '1', roundMsText = '350'] = process.argv
const steps = Number(stepsText)
const chunk = Math.max(8, Math.min(256, Math.round(4000 / steps)))
const bodies = toBodies(steps)
const answer = subject === 'floor' ? floor : trestle(steps)

await check()
const make = () => Array.from({ length: chunk }, (_, index) => toRequest(bodies[index % bodies.length]))
await spend(Math.max(500, Number(roundMsText) * 8), { answer, make })
process.stdout.write('ready\n')
// One round for each line that comes in, so that subjects take turns.
for await (const _ of process.stdin) process.stdout.write(`${await spend(Number(roundMsText), { answer, make })}\n`)

/** Every body must be answered rightly, and what is not signed rightly refused, before anything is timed. */
async function check() {
  for (const [index, body] of bodies.entries()) {
    const response = await answer(toRequest(body))
    const { outputs } = await response.json()
    if (response.status !== 200 || outputs.subject !== `Order order-${index}`)
      throw new Error(`${subject} gave a wrong answer: ${response.status} ${JSON.stringify(outputs)}`)
  }
  const wrong = [
    toRequest(bodies[0], { key: 'another-secret' }),
    toRequest(bodies[0], { atMs: Date.now() - 360_000 }),
    toRequest(bodies[0], { signed: false }),
  ]
  for (const request of wrong)
    if ((await answer(request)).status !== 401) throw new Error(`${subject} served a call that is not signed rightly`)
}
