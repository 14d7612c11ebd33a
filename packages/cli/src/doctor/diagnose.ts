import { createOutbound, type Lookup } from '@trestle/bridge-client'
import { parseUrl } from '@trestle/protocol'
import { isLoopbackHost } from '../base/is-loopback.ts'
import { createClient, openRanges } from '../bridge/create-client.ts'
import type { Finding } from './base/finding.ts'
import type { Probe, ProbeContext } from './base/probe.ts'
import { probes } from './probe-table.ts'

/** The result of a probe. */
export interface ProbeResult {
  readonly probe: string
  /** What it checked. */
  readonly title: string
  /** The outcome. */
  readonly result: 'passed' | 'warned' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason: string | null
  /** The duration, in milliseconds. */
  readonly durationMs: number
}

/** The result of a diagnosis. The format is stable: members are added, never changed. */
export interface Diagnosis {
  readonly version: 1
  readonly url: string
  /** Whether there are no findings of severity `error`. */
  readonly healthy: boolean
  /** The problems, each cause before its consequences. */
  readonly findings: readonly Finding[]
  /** All probes, including skipped ones. */
  readonly probes: readonly ProbeResult[]
}

/** The bridge to check, and options. */
export interface DiagnoseOptions {
  /** The bridge's address. */
  readonly url: string
  /** The secret key. */
  readonly key?: string | undefined
  /** Allowed address ranges in addition to loopback. @default none */
  readonly allow?: readonly string[]
  /** Whether unsigned calls must be rejected even if the bridge is on this machine. @default false */
  readonly isProduction?: boolean
  /** The environment's name; `Development` skips certificate checks. @default 'Production' */
  readonly environmentName?: string
  /** The timeout of each call, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** Receives the title of each probe before it runs. */
  readonly onProbe?: (title: string) => void
  /** Aborts the diagnosis. */
  readonly signal?: AbortSignal
  /** The clock. @default Date.now */
  readonly nowMs?: () => number
  /** Finds the addresses of a name. @default the system's resolver */
  readonly lookup?: Lookup
}

/**
 * Diagnoses a bridge: with valid calls as the service sends them, and with invalid ones that it must reject.
 *
 * @param options - The bridge to check, and options.
 * @example
 * const { healthy, findings } = await diagnose({ url: 'http://127.0.0.1:4000/api/bridge', key: process.env.SERVICE_SECRET_KEY })
 * for (const { code, cause, fix } of findings) console.log(code, cause, fix)
 */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const context = toPatient(options)
  const findings: Finding[] = []
  const results: ProbeResult[] = []
  let closed: string | undefined
  for (const probe of probes) {
    const reason = closed ?? probe.skip?.(context)
    if (reason !== undefined) {
      results.push({ ...toRow(probe), result: 'skipped', reason, durationMs: 0 })
      continue
    }
    options.onProbe?.(probe.title)
    context.signal.throwIfAborted()
    const startedMs = performance.now()
    const probeFindings = await probe.run(context)
    findings.push(...probeFindings)
    const durationMs = Math.round(performance.now() - startedMs)
    const hasFailed = probeFindings.some(({ severity }) => severity === 'error')
    const result = hasFailed ? 'failed' : probeFindings.length > 0 ? 'warned' : 'passed'
    results.push({ ...toRow(probe), result, reason: null, durationMs })
    if (probe.stopsOnError && hasFailed) closed = 'the bridge cannot be reached'
  }
  const healthy = findings.every(({ severity }) => severity !== 'error')
  return { version: 1, url: options.url, healthy, findings, probes: results }
}

const toRow = ({ name, title }: Probe): { readonly probe: string; readonly title: string } => ({ probe: name, title })

function toPatient(options: DiagnoseOptions): ProbeContext {
  const { url, key, allow = [], isProduction = false, timeoutMs = 5000, environmentName = 'Production' } = options
  const { signal = new AbortController().signal, nowMs = Date.now, lookup } = options
  const network = { timeoutMs, ...(lookup && { lookup }) }
  return {
    url,
    key,
    client: createClient({ url, key, allow, environmentName, nowMs, ...network }),
    outbound: createOutbound({ allow: openRanges(allow), ...network }),
    isProduction,
    isLoopback: isLoopbackHost(parseUrl(url)?.hostname ?? ''),
    signal,
    nowMs,
  }
}
