import { refusalOf } from '../accounts/base/access.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { Operation } from '../context/operation.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { type Caller, type Identification, identify } from './identify.ts'
import { identifySubscriber, readBearer } from './identify-subscriber.ts'

/** Dependencies for finding callers. */
export interface CallerPorts {
  readonly context: Pick<ServiceContext, 'store' | 'vault' | 'clock'>
  readonly identification: Identification
}

/**
 * Returns the caller of an operation that requires authentication.
 *
 * @throws {ApiError} 401, or 403 if the caller is not permitted to call it.
 */
export async function findCaller(
  { context, identification }: CallerPorts,
  operation: Operation,
  http: HttpCall,
): Promise<Caller> {
  if (operation.forSubscriber) {
    const { store, vault, clock } = context
    const token = readBearer(http.header('authorization'))
    const session = await identifySubscriber(token, { db: store.db, vault, nowMs: clock.now() })
    return { environment: session.environment, session }
  }
  const caller = await identify(http, identification)
  permit(operation, caller)
  return caller
}

/** Checks whether a caller is permitted to call an operation. This is the only place that does so. */
function permit({ access, name, hideSecret }: Operation, { person, environment, keyId }: Caller): void {
  const isForPeople = access === 'self' || access === 'people'
  const refusal = person
    ? refusalOf(person, access, environment.id)
    : isForPeople && 'Only a person may call this, with the session of an account.'
  if (refusal) throw new ApiError(403, `${name}: ${refusal}`)
  if (hideSecret && keyId === undefined)
    throw new ApiError(403, `${name} shows a secret, so it requires a secret key. The studio may not call it.`)
}
