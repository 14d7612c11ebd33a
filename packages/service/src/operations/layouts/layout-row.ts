import type { JsonObject } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import { ApiError, invalid, notFound, refuseTaken } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { runInSandbox } from '../../sandbox/sandbox.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { removeTexts } from '../../translations/remove-texts.ts'

/** The maximum length of a layout, in characters. */
export const maxLayoutLength = 500_000

/**
 * Finds a layout by its id or identifier.
 *
 * @throws {ApiError} 404 if it does not exist.
 */
export async function findLayoutRow(db: Session, { environment }: CallContext, name = ''): Promise<LayoutRow> {
  const row = await db
    .selectFrom('layouts')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where((is) => is.or([is('id', '=', name), is('identifier', '=', name)]))
    .executeTakeFirst()
  if (!row) throw notFound('Layout', name)
  return row
}

/**
 * Checks that a layout can be rendered around a body. Do not call this in a transaction, because parsing takes a while.
 *
 * @param options - The field name for the error, and its status.
 * @throws {ApiError} The content is invalid.
 */
export async function checkContent(
  { environment }: CallContext,
  content: string,
  { field, status }: { readonly field: string; readonly status: 400 | 422 },
): Promise<void> {
  const fault = await findFault(content, environment.id)
  if (fault !== null) throw status === 400 ? new ApiError(400, fault) : invalid(field, fault)
}

async function findFault(content: string, owner: string): Promise<string | null> {
  try {
    return (await runInSandbox({ task: 'checkLayout', input: content, owner })) as string | null
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    return `The content cannot be checked: ${error.message}.`
  }
}

/**
 * Saves a layout. If it is the default, no other layout is.
 *
 * @throws {ApiError} 409 if its identifier is taken.
 */
export async function storeLayout(tx: Session, row: LayoutRow): Promise<void> {
  if (row.isDefault === 1) {
    await tx
      .updateTable('layouts')
      .set({ isDefault: 0, updatedAt: row.updatedAt })
      .where('environmentId', '=', row.environmentId)
      .where('isDefault', '=', 1)
      .where('id', '!=', row.id)
      .execute()
  }
  await tx
    .insertInto('layouts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
    .catch(refuseTaken(`The layout "${row.identifier}" already exists. Choose another identifier.`))
}

/**
 * Deletes a layout and its translations.
 *
 * @throws {ApiError} 409 if it is the default and other layouts exist.
 */
export async function deleteLayout(tx: Session, row: LayoutRow): Promise<void> {
  const { environmentId, identifier } = row
  const other = await tx
    .selectFrom('layouts')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('id', '!=', row.id)
    .executeTakeFirst()
  if (row.isDefault === 1 && other)
    throw new ApiError(409, `The layout "${identifier}" is the default. Make another layout the default first.`)
  await tx.deleteFrom('layouts').where('id', '=', row.id).execute()
  await removeTexts(tx, { environmentId, resourceType: 'layout', resourceId: identifier })
}

/** Returns a layout in the API v1 format. */
export function showLayout(row: LayoutRow, { organizationId }: CallContext): JsonObject {
  return {
    _id: row.id,
    _organizationId: organizationId,
    _environmentId: row.environmentId,
    _creatorId: organizationId,
    name: row.name,
    identifier: row.identifier,
    ...(row.description === null ? {} : { description: row.description }),
    channel: 'email',
    content: row.content,
    contentType: 'customHtml',
    variables: JSON.parse(row.variables),
    isDefault: row.isDefault === 1,
    isDeleted: false,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}

/** Returns a layout in the API v2 format. */
export function showLayoutV2(row: LayoutRow): JsonObject {
  const { editorType } = toObject(toObject(JSON.parse(row.controlValues))['email'])
  return {
    _id: row.id,
    layoutId: row.identifier,
    slug: `${row.identifier}_${row.id}`,
    name: row.name,
    isDefault: row.isDefault === 1,
    isTranslationEnabled: row.isTranslationEnabled === 1,
    origin: 'external',
    type: 'BRIDGE',
    variables: {},
    controls: { values: { email: { body: row.content, editorType: editorType === 'block' ? 'block' : 'html' } } },
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
