import { describe, expect, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { createStore, drivers } from '../store/stores.fixture.ts'
import { renewSecrets } from './renew-secrets.ts'
import { sealedPlaces } from './sealed-places.ts'
import { createVault, type Vault } from './vault.ts'

const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const former = createVault(before)
const vault = createVault(now, [before])
const place = sealedPlaces.apiKey('e')

describe.each(drivers)('secrets (%s)', (driver) => {
  const keep = (store: Store) =>
    store.db
      .insertInto('apiKeys')
      .values({ environmentId: 'e', hash: 'h', sealed: former.seal('old', place), createdAt: 1 })
  const kept = async (store: Store) =>
    vault.open((await store.db.selectFrom('apiKeys').select('sealed').executeTakeFirstOrThrow()).sealed, place)

  test('keep concurrent changes', async (context) => {
    const store = await createStore(driver, context)
    await keep(store).execute()
    const busy: Store = {
      ...store,
      async transaction(work) {
        await store.db
          .updateTable('apiKeys')
          .set({ sealed: vault.seal('new', place) })
          .execute()
        return store.transaction(work)
      },
    }
    expect(await renewSecrets(busy, vault, new AbortController().signal)).toEqual({ renewed: 0, unopened: {} })
    expect(await kept(store)).toBe('new')
  })

  test('are left unchanged after the service stops', async (context) => {
    const store = await createStore(driver, context)
    await keep(store).execute()
    expect(await renewSecrets(store, vault, AbortSignal.abort())).toEqual({ renewed: 0, unopened: {} })
    expect(await renewSecrets(store, vault, new AbortController().signal)).toEqual({ renewed: 1, unopened: {} })
    expect(await kept(store)).toBe('old')
  })

  test('that startup checks are renewed last, because startup needs the previous key until all others are done', async (context) => {
    const store = await createStore(driver, context)
    await keep(store).execute()
    const [variableId, environmentId] = ['v', 'e']
    const value = {
      variableId,
      environmentId,
      ...{ key: 'TOKEN', type: 'string', isSecret: 1 as const, createdAt: 1, updatedAt: 1 },
      value: former.seal('value', sealedPlaces.variable(variableId, environmentId)),
    }
    await store.db.insertInto('variableValues').values(value).execute()
    const stopping = new AbortController()
    const busy: Vault = {
      ...vault,
      renew(sealed, at) {
        stopping.abort()
        return vault.renew(sealed, at)
      },
    }
    expect(await renewSecrets(store, busy, stopping.signal)).toEqual({ renewed: 1, unopened: {} })
    const { sealed } = await store.db.selectFrom('apiKeys').select('sealed').executeTakeFirstOrThrow()
    expect(former.open(sealed, place)).toBe('old')
  })
})
