import type { SearchResults, Subscriber } from '../api/generated/resources.ts'
import type { CursorPage } from '../api/page.ts'
import { useRead } from '../session/queries.ts'
import { useSettled } from '../session/settled.ts'
import type { Suggestion } from '../ui/fields/suggest-field.tsx'

const searchPath = '/v1/studio/search'
const newest = { limit: 8 }
/** The service accepts no longer search. */
const longest = 200

interface TopicLine {
  readonly key: string
  readonly name?: string
}

/**
 * Returns the subscribers whose id, name or address contains a text; for an empty text, the newest ones.
 *
 * @param typed - The text.
 * @param enabled - Whether suggestions are needed. @default true
 */
export function useSubscriberSuggestions(typed: string, enabled = true): readonly Suggestion[] | undefined {
  const sought = useSought(typed)
  const recent = useRead<CursorPage<Subscriber>>('/v2/subscribers', {
    query: newest,
    enabled: enabled && sought === '',
  })
  const results = useFound(sought, enabled)
  const list = sought === '' ? recent.data?.data : results?.subscribers
  return list?.map(({ subscriberId, firstName, lastName, email, phone }) => ({
    value: subscriberId,
    text: [[firstName, lastName].filter(Boolean).join(' '), email ?? phone].filter(Boolean).join(' · '),
  }))
}

/**
 * Returns the topics whose key or name contains a text; for an empty text, the newest ones.
 *
 * @param typed - The text.
 * @param enabled - Whether suggestions are needed. @default true
 */
export function useTopicSuggestions(typed: string, enabled = true): readonly Suggestion[] | undefined {
  const sought = useSought(typed)
  const recent = useRead<CursorPage<TopicLine>>('/v2/topics', { query: newest, enabled: enabled && sought === '' })
  const results = useFound(sought, enabled)
  const list: readonly TopicLine[] | undefined = sought === '' ? recent.data?.data : results?.topics
  return list?.map(({ key, name }) => ({ value: key, text: name === key ? undefined : name }))
}

/** Returns whether a subscriber or topic exists; undefined while it is unknown. */
export function useExists(kind: 'subscriber' | 'topic', id: string): boolean | undefined {
  const settled = useSettled(id)
  const [path, name] = kind === 'topic' ? ['/v2/topics', 'key'] : ['/v2/subscribers', 'subscriberId']
  const { data } = useRead<CursorPage<Readonly<Record<string, unknown>>>>(path, {
    query: { [name]: settled, limit: 1 },
    enabled: settled !== '',
  })
  return settled === id ? data?.data.some((one) => one[name] === id) : undefined
}

const useSought = (typed: string): string => useSettled(typed.trim().slice(0, longest))

function useFound(sought: string, enabled: boolean): SearchResults | undefined {
  return useRead<SearchResults>(searchPath, { query: { q: sought }, enabled: enabled && sought !== '', keep: true })
    .data
}
