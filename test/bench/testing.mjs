import { workflow } from '@trestle/core'
import { testBridge } from '@trestle/testing'

// A workflow of five steps (custom, a digest of seven days, email, in-app with skip, delay), run from its trigger to
// its last step: once in a fresh process, then with a new bridge each time, then with one bridge.
// `node test/bench/testing.mjs` fails if the first run takes 100 ms or more.

const limitMs = 100
const rounds = 200

const weekly = workflow('weekly', async ({ step, payload }) => {
  const { total } = await step.custom('prices', () => ({ total: 3 }))
  const { events } = await step.digest('collect', () => ({ amount: 7, unit: 'days' }))
  await step.email('mail', () => ({ subject: `${events.length} orders`, body: `<p>${total} EUR</p>` }))
  await step.inApp('inbox', () => ({ body: 'Your week' }), { skip: () => payload.quiet === true })
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
})

async function measure(work) {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

async function median(work) {
  const times = []
  for (let round = 0; round < rounds; round++) times.push(await measure(work))
  return times.sort((left, right) => left - right)[rounds / 2]
}

const options = { payload: { quiet: true } }
const fresh = () => testBridge({ workflows: [weekly] }).run(weekly, options)
const firstMs = await measure(fresh)
const freshMs = await median(fresh)
const kept = testBridge({ workflows: [weekly] })
const keptMs = await median(() => kept.run(weekly, options))
const replayMs = await median(() => kept.run(weekly, { ...options, replay: 'every-step' }))

const show = (what, ms) => console.log(`${what.padEnd(46)} ${ms.toFixed(2).padStart(8)} ms`)
show('first run of the process, bridge included', firstMs)
show('later, with a bridge of its own (median)', freshMs)
show('later, with one bridge (median)', keptMs)
show("the same with replay: 'every-step' (median)", replayMs)
if (firstMs >= limitMs) {
  console.error(`The first run took more than ${limitMs} ms.`)
  process.exitCode = 1
}
