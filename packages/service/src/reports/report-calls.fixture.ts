import type { JsonObject } from '@trestle/protocol'
import type { DeliveryReport, ReportCall, ReportReader } from './base/report.ts'
import { isGenuineCall, reportReaders } from './report-readers.ts'
import { snsCertificate } from './sns/sns.fixture.ts'

/** A call of a provider. */
export interface Sent {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: string
}

export function toCall({ body, headers = {}, at = '2026-01-01T00:00:00Z' }: Sent): ReportCall {
  return { body: Buffer.from(body), nowMs: Date.parse(at), header: (name) => headers[name] }
}

export function findReader(providerId: string): ReportReader {
  const reader = reportReaders.get(providerId)
  if (!reader) throw new Error(`no reader for ${providerId}`)
  return reader
}

/** The URLs of loaded certificates. */
export const loaded: string[] = []
const load = async (url: string): Promise<string> => {
  loaded.push(url)
  return snsCertificate
}

/** Returns whether a call is accepted as genuine. */
export async function isAccepted(providerId: string, sent: Sent, credentials: JsonObject): Promise<boolean> {
  const call = toCall(sent)
  const reader = findReader(providerId)
  return reader.mayBeGenuine?.(call) !== false && (await isGenuineCall(reader, call, { credentials, load }))
}

export const read = (providerId: string, sent: Sent): readonly DeliveryReport[] =>
  findReader(providerId).read(toCall(sent)).reports
