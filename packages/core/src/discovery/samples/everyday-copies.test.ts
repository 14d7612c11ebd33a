import { expect, test } from 'vitest'
import { type Condition, type Data, sidesOf } from './everyday.fixture.ts'

/** What the rest of a pattern is compiled to. */
function __rest(source: Data, names: readonly string[]): Data {
  const rest: Data = {}
  for (const name in source) if (Object.hasOwn(source, name) && !names.includes(name)) rest[name] = source[name]
  return rest
}

/** Copies of data that nothing describes have the fields that are read of them. */
const conditions: readonly Condition[] = [
  ({ payload }) => {
    const { id } = payload
    const rest = __rest(payload, ['id'])
    return id && rest.kind === 'gold'
  },
  ({ payload }) => Object.assign({}, payload.event).type === 'assigned',
  ({ payload }) => ({ ...payload.user }).id === 'spread',
  ({ payload }) => ({ ...payload }).vip,
  ({ payload }) => JSON.parse(JSON.stringify(payload)).amount > 77,
  ({ payload }) => {
    const own = { ...payload, at: 1 }
    return own.kind === 'gold'
  },
  ({ payload }) => {
    const { id, ...rest } = payload
    return id && rest.vip
  },
  ({ payload }) => {
    const { id: _id, ...rest } = payload
    return rest.kind === 'gold'
  },
  ({ payload }) => {
    const own = Object.assign({ plan: 'free' }, payload.user)
    return own.plan === 'pro'
  },
  ({ payload }) => {
    const own = JSON.parse(JSON.stringify(payload))
    return own.kind === 'gold'
  },
  ({ payload }) => {
    const own = JSON.parse(JSON.stringify(payload.user))
    return own.plan === 'pro'
  },
  ({ payload }) => {
    const { plan } = JSON.parse(JSON.stringify(payload.user))
    return plan === 'pro'
  },
  ({ payload }) => {
    const own = structuredClone(payload)
    return own.kind === 'gold'
  },
  ({ payload }) => {
    const own = structuredClone(payload)
    return own.total > 100
  },
  ({ payload }) => {
    const own = structuredClone(payload)
    return own.ownerId === own.actorId
  },
  ({ payload }) => {
    const own = structuredClone(payload.order)
    return own.kind === 'gold'
  },
  ({ payload }) => structuredClone(payload.data.order).total > 100 && payload.vip,
  ({ payload }) => {
    const given = payload.data.order
    const own = structuredClone(given)
    own.total += 1
    return own.total > 100
  },
  ({ payload: { order, plan } }) => {
    const { total } = structuredClone(order ?? {})
    return plan === 'pro' && total > 100
  },
  // biome-ignore lint/style/useTemplate: as people write it.
  ({ payload }) => payload.kind + ':' + payload.status === 'order:paid' && structuredClone(payload).total > 100,
  ({ payload }) => {
    const data = { user: { ...payload.user } }
    return data.user.plan === 'pro'
  },
  ({ payload }) => {
    const enrich = (given: Data): Data => ({ ...given, at: 1 })
    const own = enrich(payload)
    return own.vip
  },
  ({ payload }) => {
    const own = { plan: 'free', ...payload }
    return own.plan === 'pro'
  },
  ({ payload, subscriber }) => {
    const all = { ...payload, ...subscriber.data }
    return all.plan === 'pro'
  },
  ({ payload }) => {
    const data = { ...payload }
    const { vip } = data
    return vip
  },
  ({ payload }) => {
    const { kind } = { ...payload }
    return kind === 'gold'
  },
  ({ payload }) => {
    const items = (payload.items ?? []).map((item: Data) => ({ ...item, total: item.price * item.amount }))
    return items.some((item: Data) => item.total > 100)
  },
  ({ payload }) => {
    const items = payload.items.map((item: Data) => ({ ...item }))
    return items[0].kind === 'gift'
  },
  ({ payload }) => {
    const isLarge = (order: Data): boolean => order.total > 100
    return isLarge({ ...payload })
  },
  ({ payload }) => {
    const own = { ...payload, user: { ...payload.user, name: 'x' } }
    return own.user.plan === 'pro' && own.vip
  },
  ({ payload }) => {
    const {
      user: { plan, ...others },
    } = payload
    return plan && others.role === 'admin'
  },
  ({ payload }) => {
    const own = { ...payload }
    return own.kind === 'gold' && Object.keys(payload.tags).length > 1
  },
  ({ payload }) => {
    const { id: _id, ...rest } = payload
    return rest.kind !== 'gold' && Object.keys(rest).length === 0
  },
  ({ payload }) => {
    const own = Object.fromEntries(Object.entries<Data>(payload))
    return own.kind === 'gold' || own.total > 100
  },
]

test.each(conditions.map((isMet) => [String(isMet), isMet] as const))(
  'both sides are found, without a schema, of %s',
  async (_source, isMet) => {
    expect(await sidesOf(isMet, {})).toEqual(['no', 'yes'])
  },
)

test('code that merges copies writes nothing into what all objects share', async () => {
  const isMet = ({ payload }: Data): unknown => {
    const merge = (target: Data, given: Data): Data => {
      for (const key in given)
        target[key] = typeof given[key] === 'function' ? merge(target[key] ?? {}, {}) : given[key]
      return target
    }
    const merged = merge({}, { ...payload })
    const counts: Data = {}
    for (const { kind } of payload.items) {
      counts[kind] ??= {}
      counts[kind].polluted = 1
    }
    // biome-ignore lint/suspicious/noProto: user code may ask so.
    return merged.__proto__.polluted || counts.__proto__.polluted || counts.constructor
  }
  await sidesOf(isMet, {})
  expect([({} as Data).polluted, (Object as Data).polluted]).toEqual([undefined, undefined])
})
