import { diagnose } from '@trestle/cli'
import { describe, expect, test } from 'vitest'
import { bridgeHandler, key, listen } from '../listen.ts'
import { trestle } from '../trestle.ts'
import { order, setups } from './setups.ts'

describe('the doctor', () => {
  /** Whether each probe has found a problem in one of the setups. */
  const hasFinding = new Map<string, boolean>()

  test.each(setups.map((setup) => [setup.what, setup] as const))('names the problem: %s', async (_what, setup) => {
    const { code, isWarning = false, says, start, options } = setup
    const { url, stop } = await start()
    try {
      const { healthy, findings, probes } = await diagnose({ url, key, ...options })
      for (const { probe } of probes)
        hasFinding.set(probe, hasFinding.get(probe) || findings.some((finding) => finding.probe === probe))
      const rank = findings.toSorted(
        (one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'),
      )
      expect(rank[0]?.code, JSON.stringify(findings, null, 1)).toBe(code)
      expect(healthy).toBe(code === undefined || isWarning)
      for (const { cause, fix, message } of findings)
        expect(Math.min(cause.length, fix.length, message.length)).toBeGreaterThan(3)
      if (says) expect(JSON.stringify(rank[0])).toMatch(says)
    } finally {
      await stop()
    }
  })

  test('has a setup in which each probe finds a problem', () => {
    expect(hasFinding.size).toBeGreaterThan(10)
    expect([...hasFinding].filter(([, isFound]) => !isFound)).toEqual([])
  })

  test('recognizes more than 25 problems, each with its own code', () => {
    expect(new Set(setups.map(({ code }) => code)).size).toBeGreaterThan(25)
  })
})

describe('trestle doctor', () => {
  test('exits with 0 and stable JSON for a healthy bridge', async () => {
    const { origin, stop } = await listen(bridgeHandler({ workflows: [order] }))
    const { status, stdout, stderr } = await trestle(['doctor', `${origin}/api/bridge`, '--key', key, '--json'])
    await stop()
    expect([status, stderr]).toEqual([0, ''])
    const { url, ...rest } = JSON.parse(stdout)
    expect(url).toBe(`${origin}/api/bridge`)
    const probes = rest.probes.map(({ durationMs, ...probe }: { durationMs: number }) => ({
      ...probe,
      isTimed: durationMs >= 0,
    }))
    expect({ ...rest, probes }).toMatchSnapshot()
  })

  test('exits with 1 and a fix if something is wrong', async () => {
    const { status, stdout } = await trestle(['doctor', 'http://127.0.0.1:1/api/bridge', '--key', key])
    expect(status).toBe(1)
    expect(stdout).toContain('ECONNREFUSED')
    expect(stdout).toContain('fix    Start the app')
    expect(stdout).not.toContain('\u001b')
  })

  test('checks 127.0.0.1 instead of localhost, because the service rejects the name', async () => {
    const { port, stop } = await listen(bridgeHandler({ workflows: [order] }))
    const { status, stdout, stderr } = await trestle(['doctor', `http://localhost:${port}/api/bridge`, '--key', key])
    await stop()
    expect(status).toBe(0)
    expect(stderr).toContain(`127.0.0.1:${port} instead of localhost:${port}`)
    expect(stdout).toContain('BLOCKED_HOSTNAME')
  })
})
