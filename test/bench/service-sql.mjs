import { createRequire } from 'node:module'

const { CompiledQuery } = createRequire(new URL('../../packages/service/package.json', import.meta.url))('kysely')

/** Runs a statement unchanged, and returns its rows. */
export async function sql({ db }, text) {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text))
  return rows
}
