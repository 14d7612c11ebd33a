import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { cases } from './peer-cases.mjs'
import { toWorkflows } from './peer-workflows.mjs'
import { spend } from './spend.mjs'

// One subject and one case in a process of its own; it measures a round for each line that comes in.

const [, , subject = 'trestle', name = 'one step', roundMsText = '350', peerFolder = ''] = process.argv
const secret = 'benchmark-secret-key'
const bodiesPerCase = 16
const chunk = 32
const { query, body, isRight } = cases[name]
const bodies = body ? Array.from({ length: bodiesPerCase }, (_, index) => JSON.stringify(body(index))) : [undefined]
const { answer, header } = await (subject === 'trestle' ? startTrestle() : startPeer())

await check()
const make = () => Array.from({ length: chunk }, (_, index) => toRequest(bodies[index % bodies.length], secret))
await spend(Math.max(1000, Number(roundMsText) * 5), { answer, make })
process.stdout.write('ready\n')
for await (const _ of process.stdin) process.stdout.write(`${await spend(Number(roundMsText), { answer, make })}\n`)

async function startTrestle() {
  const { workflow } = await import('@trestle/core')
  const { serve } = await import('@trestle/hono')
  const { Hono } = await import('hono')
  const workflows = toWorkflows(workflow, !body)
  const app = new Hono().all('/api', serve({ workflows, secretKey: secret, strictAuthentication: true }))
  return { answer: (request) => app.fetch(request), header: 'service-signature' }
}

async function startPeer() {
  const { resolve } = createRequire(`${peerFolder}/package.json`)
  const load = async (id) => await import(pathToFileURL(resolve(id)).href)
  const { Client, workflow, serve } = await load('@novu/framework/hono')
  const { Hono } = await load('hono')
  const client = new Client({ secretKey: secret, strictAuthentication: true, verbose: false })
  const app = new Hono().all('/api', serve({ workflows: toWorkflows(workflow, !body), client }))
  return { answer: (request) => app.fetch(request), header: 'novu-signature' }
}

/** Every answer must be right, and what is not signed rightly refused, before anything is timed. */
async function check() {
  for (const [index, text] of bodies.entries()) {
    const response = await answer(toRequest(text, secret))
    const told = await response.json()
    if (response.status !== 200 || !isRight(told, index))
      throw new Error(`${subject}, ${name}: ${response.status} ${JSON.stringify(told).slice(0, 2000)}`)
  }
  if ((await answer(toRequest(bodies[0], 'another'))).status !== 401) throw new Error(`${subject} takes any signature`)
}

function toRequest(text, key) {
  const atMs = Date.now()
  const mac = createHmac('sha256', key)
    .update(`${atMs}.${text ?? '{}'}`)
    .digest('hex')
  const headers = { 'content-type': 'application/json', [header]: `t=${atMs},v1=${mac}` }
  const url = `http://127.0.0.1/api?${query}`
  if (text === undefined) return new Request(url, { headers })
  return new Request(url, { method: 'POST', headers, body: text })
}
