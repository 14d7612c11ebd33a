import type { SearchResults, StudioBridge } from '../api/generated/resources.ts'
import { listErrorTexts } from '../errors/error-texts.ts'
import { toPathName } from '../ui/path-names.ts'
import type { NavGroup } from './nav.tsx'

/** An item of the command palette that opens a page. */
export interface PaletteItem {
  /** Path within the studio. */
  readonly to: string
  /** Its name. */
  readonly text: string
  /** Distinguishes items with the same name. */
  readonly hint?: string | undefined
}

/** Items of one kind. */
export interface PaletteGroup {
  /** Their kind. */
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const mostOfKind = 6

/** The data to search. */
export interface PaletteSources {
  /** The session's navigation. */
  readonly navigation: readonly NavGroup[]
  /** The bridge's workflows, once loaded. */
  readonly workflows: StudioBridge['workflows']
  /** The service's search results. */
  readonly results: SearchResults | undefined
}

/**
 * Returns the palette items that match a text: pages, workflows, subscribers, topics, runs and error codes.
 *
 * @param typed - The text; empty for all pages.
 * @param sources - The data to search.
 */
export function findItems(typed: string, { navigation, workflows, results }: PaletteSources): readonly PaletteGroup[] {
  const sought = typed.trim().toLowerCase()
  const fits = (...texts: readonly (string | undefined)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(sought))
  const pages = navigation.flatMap(({ entries }) => entries).filter(({ text }) => fits(text))
  const groups: PaletteGroup[] = [
    { title: 'Pages', items: pages.map(({ to, text }) => ({ to, text })) },
    {
      title: 'Workflows',
      items: workflows
        .filter(({ workflowId, name }) => fits(workflowId, name))
        .map(({ workflowId, name }) => ({
          ...{ to: `/workflows/${toPathName(workflowId)}`, text: name ?? workflowId, hint: workflowId },
        })),
    },
  ]
  if (sought !== '') groups.push(...foundGroups(results), { title: 'Error codes', items: errorItems(fits) })
  return groups
    .map(({ title, items }) => ({ title, items: sought === '' ? items : items.slice(0, mostOfKind) }))
    .filter(({ items }) => items.length > 0)
}

function foundGroups(results: SearchResults | undefined): readonly PaletteGroup[] {
  if (!results) return []
  return [
    {
      title: 'Subscribers',
      items: results.subscribers.map(({ subscriberId, firstName, lastName, email, phone }) => ({
        to: `/subscribers/${toPathName(subscriberId)}`,
        text: [firstName, lastName].filter(Boolean).join(' ') || subscriberId,
        hint: [subscriberId, email ?? phone].filter(Boolean).join(' · '),
      })),
    },
    {
      title: 'Topics',
      items: results.topics.map(({ key, name }) => ({
        to: `/topics/${toPathName(key)}`,
        text: name ?? key,
        hint: key,
      })),
    },
    {
      title: 'Runs',
      items: results.runs.map(({ _id, workflowId, subscriberId, transactionId }) => ({
        ...{ to: `/runs/${_id}`, text: `${workflowId} for ${subscriberId}`, hint: transactionId },
      })),
    },
  ]
}

/** Several components can report the same code. */
function errorItems(fits: (text: string) => boolean): readonly PaletteItem[] {
  const codes = new Set(listErrorTexts().map(({ code }) => code))
  return [...codes].filter((code) => fits(code)).map((code) => ({ to: `/errors/${toPathName(code)}`, text: code }))
}
