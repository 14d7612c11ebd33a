import { request } from 'node:http'
import autocannon from 'autocannon'
import { median, medianQuotient } from './median.mjs'
import { checkAnswers, createCalls } from './subjects/calls.mjs'
import { startSubject } from './subjects/process.mjs'

const connections = 10

/**
 * Measures a case over loopback: servers take turns under ten connections, each in its own process.
 *
 * @param {{ framework: 'hono' | 'express', subjects: readonly string[], rounds: number, roundMs: number, peerFolder: string }} options
 * @returns {Promise<object>} Requests per second and the server's processor time per call by subject, the processor
 * time relative to the floor, and the requests per second relative to the peer.
 */
export async function measureOverSockets(name, { framework, subjects, rounds, roundMs, peerFolder }) {
  const servers = []
  for (const subject of subjects) {
    const server = startSubject('server.mjs', [subject, framework, peerFolder])
    const port = Number(await server.ready)
    await checkAnswers(subject, name, (call) => send(port, call))
    servers.push({ subject, server, port, next: createCalls(subject, name), rates: [], cpuUs: [] })
  }
  for (const one of servers) await load(one, name, Math.max(1500, roundMs * 2))
  for (let round = 0; round < rounds; round++)
    for (const one of round % 2 === 0 ? servers : servers.toReversed()) {
      await one.server.ask()
      const { count, seconds } = await load(one, name, roundMs)
      one.cpuUs.push((await one.server.ask()) / count)
      one.rates.push(count / seconds)
    }
  for (const { server } of servers) server.stop()
  const of = (subject) => servers.find((one) => one.subject === subject)
  const [floor, trestle, peer] = ['floor', 'trestle', 'peer'].map(of)
  return {
    us: Object.fromEntries(servers.map(({ subject, cpuUs }) => [subject, median(cpuUs)])),
    rates: Object.fromEntries(servers.map(({ subject, rates }) => [subject, median(rates)])),
    share: floor && medianQuotient(floor.cpuUs, trestle.cpuUs),
    times: peer && medianQuotient(trestle.rates, peer.rates),
  }
}

/** The client signs each request when sending it; that time is not counted as the server's. */
async function load({ port, next, subject }, name, ms) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: ms / 1000,
    requests: [{ setupRequest: (given) => ({ ...given, ...toRequest(next()) }) }],
  })
  if (result['2xx'] === 0 || result.non2xx > 0 || result.errors > 0)
    throw new Error(`${subject}, ${name}: ${result.non2xx} failures and ${result.errors} errors under load`)
  return { count: result['2xx'], seconds: result.duration }
}

/** The client sets Content-Length itself. */
function toRequest({ method, path, headers: { 'content-length': _, ...headers }, body }) {
  return { method, path, headers, body }
}

function send(port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('')
      resolve({ status: response.statusCode, body: text })
    })
    outgoing.on('error', reject).end(body)
  })
}
