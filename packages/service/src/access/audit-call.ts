import type { Actor, Audit, AuditedCall } from '../accounts/base/audit.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { Operation } from '../context/operation.ts'
import { readText, toObject } from '../json/json.ts'
import type { CallerAddress } from './caller-address.ts'
import type { Caller } from './identify.ts'

/** A call with validated input. */
export interface ChangingCall extends Caller {
  readonly operation: Operation
  readonly http: HttpCall
  readonly requestId: string
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Dependencies for auditing calls. */
export interface AuditCallPorts {
  readonly audit: Audit
  readonly addressOf: CallerAddress
}

/**
 * Runs an operation, and records it in the audit log if it changes something. Triggers, events and replies of agents
 * from apps are not recorded, because they are in the lists of runs and conversations. Neither are subscribers' actions
 * on their own messages.
 */
export function auditCall<T>(
  ports: AuditCallPorts | undefined,
  call: ChangingCall,
  work: () => Promise<T>,
): Promise<T> {
  if (!ports || !isAudited(call)) return work()
  const { operation, environment, requestId, params, body } = call
  const entry: AuditedCall = {
    actor: toActor(call, ports.addressOf(call.http)),
    environment: operation.access === 'self' || operation.access === 'people' ? undefined : environment,
    operation: operation.name,
    subject: toSubject(params, body),
    requestId,
  }
  return ports.audit.record(entry, work)
}

/** What apps do all the time. */
const ofApps: ReadonlySet<string> = new Set([
  ...['events.trigger', 'events.triggerBulk', 'events.broadcast', 'events.emit', 'agents.reply'],
])

function isAudited({ operation, keyId, person }: ChangingCall): boolean {
  const { name, method, access, open, forSubscriber } = operation
  if (method === 'GET' || access === 'view' || open || forSubscriber) return false
  return person !== undefined || (keyId !== undefined && !ofApps.has(name))
}

function toActor({ person, keyId = '' }: ChangingCall, address: string): Actor {
  if (person) return { actorType: 'account', actorId: person.accountId, actorName: person.email, address }
  return { actorType: 'key', actorId: keyId, actorName: null, address }
}

/** The body fields that identify what is changed. Values, such as credentials, are in other fields. */
const naming = [
  'workflowId',
  'subscriberId',
  'identifier',
  'email',
  'key',
  'name',
  'type',
  'id',
  'transactionId',
] as const

/** Returns the path parameters; for a resource without a name in the path, the body fields that identify it. */
function toSubject(params: ChangingCall['params'], body: unknown): string | undefined {
  const given = Object.values(params).map(String)
  if (given.length > 0) return given.join(' / ')
  const fields = toObject(body)
  return naming.map((name) => readText(fields[name])).find((text) => text !== undefined)
}
