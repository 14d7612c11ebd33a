import { createId } from '../../store/create-id.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

const plainContent = '<!doctype html><html><body>{{content}}</body></html>'

/**
 * Returns whether an environment has a default layout.
 *
 * @param environmentId - Row id of the environment.
 */
export async function hasDefaultLayout(tx: Session, environmentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('layouts')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('isDefault', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the row of a new layout that only wraps the body in a document.
 *
 * @param environmentId - Row id of the environment.
 * @param fields - Values that replace the defaults.
 */
export function toNewLayout(
  environmentId: string,
  nowMs: number,
  fields: Pick<LayoutRow, 'identifier' | 'name'> & Partial<LayoutRow>,
): LayoutRow {
  return {
    id: createId(nowMs),
    environmentId,
    description: null,
    content: plainContent,
    variables: '[]',
    controlValues: '{}',
    isDefault: 0,
    isTranslationEnabled: 0,
    createdAt: nowMs,
    updatedAt: nowMs,
    ...fields,
  }
}
