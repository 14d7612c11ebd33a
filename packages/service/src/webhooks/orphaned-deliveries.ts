import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../store/store.ts'

interface DeletedEndpoint {
  readonly id: string
}

/**
 * The query for the ids of deleted endpoints that still have deliveries. It looks up one id after the other in the
 * index, because a scan would read millions of deliveries.
 */
export const deletedEndpoints: RawBuilder<DeletedEndpoint> = sql<DeletedEndpoint>`with recursive "ids" ("id") as (
    select min("endpointId") from "webhookDeliveries"
    union all
    select (select min("endpointId") from "webhookDeliveries" where "endpointId" > "ids"."id")
      from "ids" where "ids"."id" is not null
  )
  select "id" from "ids" where "id" is not null
    and not exists (select 1 from "webhookEndpoints" where "webhookEndpoints"."id" = "ids"."id")`

/** Returns the conditions of deliveries whose endpoint was deleted, one per endpoint. */
export async function selectOrphanedDeliveries(db: Session): Promise<readonly RawBuilder<unknown>[]> {
  const { rows } = await deletedEndpoints.execute(db)
  return rows.map(({ id }) => sql`"endpointId" = ${id}`)
}
