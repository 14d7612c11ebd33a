import type { Outbound } from '@trestle/bridge-client'
import { ApiError } from '../../api/api-error.ts'
import type { LoadCertificate } from '../base/report.ts'

const keptMs = 60 * 60_000
const maxKept = 20
const maxLoading = 4
const timeoutMs = 5000

/**
 * Creates a loader of signing certificates. Certificates are kept for an hour; few are loaded at a time, because
 * callers without a key can cause it.
 *
 * @param outbound - Sends requests, under the network policy.
 */
export function createCertificates(outbound: Pick<Outbound, 'send'>): LoadCertificate {
  const kept = new Map<string, { readonly untilMs: number; readonly pem: string }>()
  const loading = new Map<string, Promise<string>>()

  async function load(url: string, nowMs: number): Promise<string> {
    const { status, text } = await outbound
      .send({ method: 'GET', url, headers: {} }, AbortSignal.timeout(timeoutMs))
      .catch(() => ({ status: 0, text: '' }))
    if (status !== 200 || !text.includes('-----BEGIN CERTIFICATE-----'))
      throw new ApiError(503, 'The signing certificate could not be loaded. Send the call again later.')
    if (kept.size >= maxKept) kept.clear()
    kept.set(url, { pem: text, untilMs: nowMs + keptMs })
    return text
  }

  return async (url, nowMs) => {
    const cachedCertificate = kept.get(url)
    if (cachedCertificate && cachedCertificate.untilMs > nowMs) return cachedCertificate.pem
    const running = loading.get(url)
    if (running) return running
    if (loading.size >= maxLoading)
      throw new ApiError(503, 'Too many signing certificates are being loaded. Wait a second and retry.')
    const started = load(url, nowMs).finally(() => loading.delete(url))
    loading.set(url, started)
    return started
  }
}
