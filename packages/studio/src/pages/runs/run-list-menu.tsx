import { Bookmark, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { saveFile } from '../../base/save-file.ts'
import { withoutPage } from '../../session/address.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ActionMenu, type MenuAction } from '../../ui/overlay/action-menu.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { readRuns } from './read-runs.ts'
import { mostExported, toCsv } from './run-export.ts'
import type { RunQuery } from './run-query.ts'
import { useSavedViews } from './saved-views.ts'

/** Offers saved views of the list and its export. */
export function RunListMenu({ query }: { readonly query: RunQuery }): ReactNode {
  return (
    <>
      <Views isFiltered={query.isFiltered} />
      <Export query={query} />
    </>
  )
}

function Views({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const { views, save, remove } = useSavedViews()
  const [, navigate] = useLocation()
  const search = withoutPage(useSearch())
  const [name, setName] = useState<string>()
  const here = views.find((view) => view.search === search)
  const change: MenuAction[] = []
  if (isFiltered && !here) change.push({ text: 'Save these filters…', run: () => setName('') })
  if (here) change.push({ text: `Delete “${here.name}”`, run: () => remove(here.name) })
  if (views.length === 0 && change.length === 0) return undefined
  const onSave = (): void => {
    save({ name: name?.trim() ?? '', search })
    setName(undefined)
  }
  const groups = [views.map((view) => ({ text: view.name, run: () => navigate(`/runs?${view.search}`) })), change]
  return (
    <>
      <ActionMenu label={here?.name ?? 'Views'} icon={<Bookmark size={15} />} groups={groups} />
      <Dialog
        open={name !== undefined}
        onClose={() => setName(undefined)}
        title="Save these filters"
        actions={
          <Button variant="primary" disabled={(name ?? '').trim() === ''} onClick={onSave}>
            Save
          </Button>
        }
      >
        <TextField
          label="Name of the view"
          value={name ?? ''}
          maxLength={60}
          hint="Views are saved in this browser. To share one, copy its address."
          onChange={setName}
        />
      </Dialog>
    </>
  )
}

function Export({ query: { query } }: { readonly query: RunQuery }): ReactNode {
  const { api } = useSession()
  const save = async (kind: 'csv' | 'json'): Promise<void> => {
    try {
      const runs = await readRuns(api, query, mostExported)
      if (kind === 'csv') saveFile('runs.csv', new Blob([toCsv(runs)], { type: 'text/csv' }))
      else saveFile('runs.json', new Blob([JSON.stringify(runs, null, 2)], { type: 'application/json' }))
      const capped = runs.length === mostExported ? ', the most one file holds' : ''
      toast(`${runs.length === 1 ? '1 run' : `${runs.length.toLocaleString('en')} runs`} exported${capped}`)
    } catch (error) {
      toast("Couldn't export the runs", { description: (error as Error).message, tone: 'bad' })
    }
  }
  return (
    <ActionMenu
      label="Export"
      icon={<Download size={15} />}
      groups={[
        [
          { text: 'Export as CSV', run: () => void save('csv') },
          { text: 'Export as JSON', run: () => void save('json') },
        ],
      ]}
    />
  )
}
