import { spawn } from 'node:child_process'
import { Agent, createServer, request as openRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../packages/service/dist/store/open-store.js'
import { countRows } from './service-engine.mjs'
import { openFloor } from './service-floor.mjs'
import { messageByHand } from './service-message.mjs'

// The time from a trigger over HTTP until its message arrives at a provider, which is a server in this process, like
// the bridge; compared with a hand-written HTTP server that stores the same rows and calls the same two servers.

const { address, folder, quick } = JSON.parse(process.argv[2])
const rounds = quick ? 100 : 500
const tables = ['triggers', 'subscribers', 'runs', 'jobs', 'executionDetails', 'bridgeCalls', 'messages']
const secretKey = 'sk_benchmark_0123456789'
const agent = new Agent({ keepAlive: true })
const tell = (figure) => process.stdout.write(`${JSON.stringify(figure)}\n`)

const step = { stepId: 'text', type: 'sms', providers: [], options: {}, conditional: false, parallelGroup: 0 }
const schema = { schema: {} }
const workflow = {
  workflowId: 'w',
  tags: [],
  severity: 'none',
  preferences: {},
  payload: schema,
  controls: schema,
  env: schema,
}
const steps = [{ ...step, controls: schema, outputs: schema, results: schema }]
const discovered = JSON.stringify({ workflows: [{ ...workflow, steps, warnings: [] }], agents: [] })
const metadata = { status: 'success', error: false, duration: 1 }
const executed = JSON.stringify({ outputs: { body: 'Hello' }, providers: {}, options: { skip: false }, metadata })

let arrived = () => undefined
const bridge = await serve((_body, url) => (url.includes('action=execute') ? executed : discovered))
const provider = await serve((_body) => {
  arrived(performance.now())
  return '{}'
})
const arrival = () => new Promise((resolve) => (arrived = resolve))

const child = spawn(process.execPath, [fileURLToPath(new URL('../service/service-process.mjs', import.meta.url))], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: address.databaseUrl ?? '',
    SERVICE_OPTIONS: JSON.stringify({
      port: 0,
      logLevel: 'silent',
      dataFolder: folder,
      databaseFile: address.databaseFile,
      secretKeys: { Development: secretKey },
    }),
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
const url = await new Promise((resolve, reject) => {
  child.once('message', ({ ready }) => resolve(ready))
  child.once('exit', () => reject(new Error('the service did not start')))
})
const api = (path, body) => send(url + path, body, { authorization: `ApiKey ${secretKey}` })
await api('/v1/bridge/sync', { bridgeUrl: bridge })
await api('/v1/integrations', { providerId: 'generic-sms', active: true, credentials: { webhookUrl: provider } })

const store = openStore(address)
const floor = await openFloor(address)
const rests = []
const byHand = await serve(async () => {
  messageByHand(floor, { ask: () => send(bridge, {}), deliver: (id) => send(provider, { id }) }).then(({ rest }) =>
    rests.push(rest),
  )
  return '{}'
})
let count = 0
const timed = async (trigger) => {
  const startMs = performance.now()
  const at = arrival()
  await trigger()
  return (await at) - startMs
}
const mine = () =>
  timed(() =>
    api('/v1/events/trigger', {
      name: 'w',
      to: { subscriberId: `l${Date.now()}-${count++}`, phone: '+1' },
      payload: {},
    }),
  )
const floors = () => timed(() => send(byHand, { to: 'x' }))
const settle = async () => {
  await new Promise((resolve) => setTimeout(resolve, quick ? 5 : 10))
  for (const rest of rests.splice(0)) await rest()
}

// The rows must be the same, or the floor is invalid.
const before = await countRows(store, tables)
await mine()
await new Promise((resolve) => setTimeout(resolve, 500))
const middle = await countRows(store, tables)
await floors()
await new Promise((resolve) => setTimeout(resolve, 500))
await settle()
const after = await countRows(store, tables)
for (const table of tables)
  if (middle[table] - before[table] !== after[table] - middle[table])
    throw new Error(
      `the floor writes other rows of ${table}: ${after[table] - middle[table]}, not ${middle[table] - before[table]}`,
    )

const [mineMs, floorMs] = [[], []]
for (let round = -20; round < rounds; round++) {
  const one = await mine()
  await settle()
  const other = await floors()
  await settle()
  // The first rounds warm up.
  if (round >= 0) mineMs.push(one)
  if (round >= 0) floorMs.push(other)
}
const at = (values, share) => values.toSorted((left, right) => left - right)[Math.floor(values.length * share)]
for (const share of [0.5, 0.99])
  tell({ name: `trigger over HTTP to message, p${share * 100}`, ms: at(mineMs, share), floorMs: at(floorMs, share) })
child.kill('SIGKILL')
await floor.close()
await store.close()
process.exit(0)

async function serve(answer) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', async () => {
      response.setHeader('content-type', 'application/json').end(await answer(body, request.url))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}/`
}

function send(to, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const sent = { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } }
    const request = openRequest(to, sent, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => (response.statusCode < 300 ? resolve(text) : reject(new Error(text))))
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}
