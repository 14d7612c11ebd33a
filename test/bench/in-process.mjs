import { median, medianQuotient } from './median.mjs'
import { startSubject } from './subjects/process.mjs'

/**
 * Measures a case in process: subjects take turns, each in its own process.
 *
 * @param {{ subjects: readonly string[], rounds: number, roundMs: number, peerFolder: string }} options
 * @returns {Promise<{ us: Record<string, number>, share: number | undefined, times: number | undefined }>} Processor
 * time per call by subject, the share relative to the floor, and the ratio to the peer.
 */
export async function measureInProcess(name, { subjects, rounds, roundMs, peerFolder }) {
  const running = subjects.map((subject) =>
    startSubject('in-process.mjs', [subject, name, String(roundMs), peerFolder]),
  )
  await Promise.all(running.map(({ ready }) => ready))
  const figures = Object.fromEntries(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < rounds; round++) {
    const order = subjects.map((_, index) => (round % 2 === 0 ? index : subjects.length - 1 - index))
    for (const index of order) figures[subjects[index]].push(await running[index].ask())
  }
  for (const { stop } of running) stop()
  const { floor, trestle, peer } = figures
  return {
    us: Object.fromEntries(Object.entries(figures).map(([subject, values]) => [subject, median(values)])),
    share: floor && medianQuotient(floor, trestle),
    times: peer && medianQuotient(peer, trestle),
  }
}
