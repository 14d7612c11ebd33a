import { setImmediate as turn } from 'node:timers/promises'

/**
 * Answers requests for so long and gives the processor time per request, in microseconds; making requests is outside.
 *
 * @param {number} ms - How long.
 * @param {{ answer: (request: Request) => Promise<Response>, make: () => readonly Request[] }} subject
 */
export async function spend(ms, { answer, make }) {
  let cpuUs = 0
  let count = 0
  const end = performance.now() + ms
  while (performance.now() < end) {
    const requests = make()
    const before = process.cpuUsage()
    for (const request of requests) {
      const response = await answer(request)
      await response.text()
      await turn()
    }
    const { user, system } = process.cpuUsage(before)
    cpuUs += user + system
    count += requests.length
  }
  return cpuUs / count
}
