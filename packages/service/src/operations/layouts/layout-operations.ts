import type { JsonObject } from '@trestle/protocol'
import type { z } from 'zod'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import { deleteLayout, findLayoutRow } from './layout-row.ts'

/** Differences between the API versions in the operations on one layout. */
export interface LayoutVersion {
  readonly path: string
  /** Whether results have an envelope. */
  readonly wrapped: boolean
  readonly output: z.ZodType
  readonly names: { readonly get: string; readonly remove: string }
  /** Returns a layout in the format of this API version. */
  show(row: LayoutRow, context: CallContext): JsonObject
}

/** Returns the operations that read and delete one layout. */
export function layoutOperationsOf({ path, wrapped, output, names, show }: LayoutVersion): readonly AnyOperation[] {
  const common = { category: 'global', wrapped, output, path: `${path}/{layoutId}` } as const
  return [
    operation({
      ...common,
      name: names.get,
      access: 'view',
      method: 'GET',
      summary: 'Returns a layout',
      handler: async (context, { params }) =>
        show(await findLayoutRow(context.store.db, context, params['layoutId']), context),
    }),
    operation({
      ...common,
      name: names.remove,
      access: 'edit',
      method: 'DELETE',
      summary: 'Deletes a layout',
      status: 204,
      handler: (context, { params }) =>
        context.store.transaction(async (tx) => deleteLayout(tx, await findLayoutRow(tx, context, params['layoutId']))),
    }),
  ]
}
