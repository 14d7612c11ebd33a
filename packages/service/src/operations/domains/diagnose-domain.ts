import type { JsonObject } from '@trestle/protocol'
import type { DomainRow } from '../../store/schema/domain.ts'
import { type CheckedRecords, checkRecords, type RecordPorts, toNone } from './check-records.ts'

const codes = ['mx_missing', 'mx_wrong_target', 'mx_low_priority', 'apex_cname_collision', 'dnsbl_listed'] as const
type Code = (typeof codes)[number]

interface Issue {
  readonly code: Code
  readonly severity: 'warn' | 'error'
  readonly message: string
  readonly fix: string
}

/**
 * Diagnoses why mail for a domain may not arrive. Block lists are not queried: their check is `skipped`.
 *
 * @param ports - Record look-ups and the clock.
 * @throws {ApiError} 503 if the name servers do not respond.
 */
export async function diagnoseDomain(
  row: DomainRow,
  ports: RecordPorts & { readonly now: () => number },
): Promise<JsonObject> {
  const startedMs = ports.now()
  const [records, aliases] = await Promise.all([
    checkRecords(row, ports),
    ports.findRecords(row.name, 'CNAME', { signal: ports.signal }).catch(toNone),
  ])
  const issues = [...findMxIssue(records, ports.mailHost), ...findAlias(row.name, aliases)]
  const latencyMs = Math.max(0, ports.now() - startedMs)
  const failed = new Set(issues.map(({ code }) => code))
  const toStatus = (code: Code) => (code === 'dnsbl_listed' ? 'skipped' : failed.has(code) ? 'fail' : 'pass')
  return {
    ok: issues.every(({ severity }) => severity !== 'error'),
    runAt: new Date(ports.now()).toISOString(),
    checks: codes.map((code) => ({ code, status: toStatus(code), latencyMs: code === 'dnsbl_listed' ? 0 : latencyMs })),
    issues: issues.map((issue) => ({ ...issue })),
  }
}

function findMxIssue({ mailServers, isMxConfigured }: CheckedRecords, mailHost: string): readonly Issue[] {
  if (isMxConfigured) return []
  const record = `an MX record with the content ${mailHost} and the priority 10`
  if (mailServers.length === 0) {
    const message = 'The domain has no MX record, so no mail arrives.'
    return [{ code: 'mx_missing', severity: 'error', message, fix: `Add ${record}.` }]
  }
  const names = mailServers.map(({ name, priority }) => `${name} (${priority})`).join(', ')
  if (mailServers.some(({ name }) => name === mailHost.toLowerCase())) {
    const message = `Other mail servers have a higher priority: ${names}. Mail arrives only if they are unreachable.`
    const fix = `Give the MX record of ${mailHost} the lowest number.`
    return [{ code: 'mx_low_priority', severity: 'warn', message, fix }]
  }
  const message = `Mail for the domain goes to ${names}.`
  return [{ code: 'mx_wrong_target', severity: 'error', message, fix: `Replace these MX records with ${record}.` }]
}

function findAlias(name: string, aliases: readonly string[]): readonly Issue[] {
  const [target] = aliases
  if (target === undefined) return []
  const message = `${name} is an alias of ${target} (CNAME), so its own MX records are ignored.`
  const fix = 'Remove the CNAME record, or receive mail at a subdomain.'
  return [{ code: 'apex_cname_collision', severity: 'error', message, fix }]
}
