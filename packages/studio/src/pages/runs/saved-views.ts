import { useState } from 'react'
import { readStored, store } from '../../session/storage.ts'

/** A named set of filters. */
export interface SavedView {
  readonly name: string
  /** The query in the URL. */
  readonly search: string
}

const entry = 'trestle.views.runs'
const mostViews = 50

/** The saved views of this browser, and functions that change them. */
export interface SavedViews {
  /** The views, in the order in which they were saved. */
  readonly views: readonly SavedView[]
  /** Saves a view, replacing any with the same name. */
  save(view: SavedView): void
  /** Deletes a view. */
  remove(name: string): void
}

/** Saves views in this browser. */
export function useSavedViews(): SavedViews {
  const [views, setViews] = useState(readViews)
  const change = (next: readonly SavedView[]): void => {
    setViews(next)
    store(entry, JSON.stringify(next))
  }
  return {
    views,
    save: (view) => change([...views.filter(({ name }) => name !== view.name), view].slice(-mostViews)),
    remove: (name) => change(views.filter((view) => view.name !== name)),
  }
}

function readViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(readStored(entry) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { name, search } = value as Partial<SavedView>
  return typeof name === 'string' && typeof search === 'string'
}
