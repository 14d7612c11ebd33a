import { RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Api, Query } from '../../api/api.ts'
import { useInvalidate } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { readRuns } from './read-runs.ts'
import style from './repeat-all.module.css'

/** The maximum number of runs to rerun at once. */
export const mostRepeated = 500
const atOnce = 4

export interface RepeatAllProps {
  /** The filters of the runs. */
  readonly query: Query
  /** The number of matching runs. */
  readonly count: number
  /** Whether the number is that of other filters, until the list is loaded. */
  readonly isLoading: boolean
}

interface Progress {
  readonly total: number
  readonly done: number
  readonly failed: readonly string[]
  readonly isOver: boolean
}

/** Reruns all matching runs after a confirmation, and shows the progress. */
export function RepeatAll({ query, count, isLoading }: RepeatAllProps): ReactNode {
  const { api } = useSession()
  const invalidate = useInvalidate()
  const [open, setOpen] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<string>()
  const end = useRef<AbortController>(undefined)
  // No run is started after the user has left the page.
  useEffect(() => () => end.current?.abort(), [])
  const asked = Math.min(count, mostRepeated)
  const runs = asked === 1 ? '1 run' : `${asked.toLocaleString('en')} runs`
  const start = async (): Promise<void> => {
    const controller = new AbortController()
    const { signal } = controller
    end.current = controller
    // A result that arrives after the dialog was closed must not appear in the next one.
    const report = (next: Progress | undefined): void => {
      if (!signal.aborted) setProgress(next)
    }
    setError(undefined)
    report({ total: asked, done: 0, failed: [], isOver: false })
    try {
      await repeatAll(api, { query, signal, report })
    } catch (fault) {
      if (!signal.aborted) setError((fault as Error).message)
      report(undefined)
    }
    await invalidate(['/v1/studio/runs', '/v1/studio/run-counts'])
  }
  const close = (): void => {
    end.current?.abort()
    setOpen(false)
    setProgress(undefined)
    setError(undefined)
  }
  return (
    <>
      <Button needs="edit" icon={<RotateCcw size={15} />} disabled={isLoading} onClick={() => setOpen(true)}>
        Run {asked.toLocaleString('en')} again
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={`Run ${runs} again`}
        actions={
          progress ? (
            <Button onClick={close}>{progress.isOver ? 'Close' : 'Stop'}</Button>
          ) : (
            <Button needs="edit" variant="primary" onClick={() => void start()}>
              Run again
            </Button>
          )
        }
      >
        {progress ? <ProgressView progress={progress} /> : <Question count={count} />}
        {error !== undefined && <p role="alert">{error}</p>}
      </Dialog>
    </>
  )
}

function Question({ count }: { readonly count: number }): ReactNode {
  return (
    <>
      <p>Each gets a new run with the same recipient and payload. Messages that were sent before are sent again.</p>
      {count > mostRepeated && (
        <p>
          {count.toLocaleString('en')} runs match. The newest {mostRepeated} are run again; narrow the filters for
          others.
        </p>
      )}
    </>
  )
}

function ProgressView({ progress: { total, done, failed, isOver } }: { readonly progress: Progress }): ReactNode {
  return (
    <div className={style['progress']}>
      <progress max={total} value={done} aria-label="Runs triggered again" />
      <p role="status">
        {done - failed.length} of {total} {isOver ? 'triggered again' : 'triggered…'}
        {failed.length > 0 && `, ${failed.length} rejected`}
      </p>
      {failed[0] !== undefined && <p className={style['fault']}>{failed[0]}</p>}
    </div>
  )
}

interface RepeatInput {
  readonly query: Query
  readonly signal: AbortSignal
  report(progress: Progress): void
}

/** A few requests run concurrently; a rejected request does not stop the others. */
async function repeatAll(api: Api, { query, signal, report }: RepeatInput): Promise<void> {
  // All runs are loaded first, because the repeated runs may match the filter too.
  const runs = [...(await readRuns(api, query, mostRepeated))].reverse()
  const total = runs.length
  const failed: string[] = []
  let done = 0
  const work = async (): Promise<void> => {
    for (let run = runs.shift(); run && !signal.aborted; run = runs.shift()) {
      try {
        await api.send({ method: 'POST', path: `/v1/studio/runs/${run._id}/repeat` }, signal)
      } catch (error) {
        if (signal.aborted) return
        failed.push((error as Error).message)
      }
      done += 1
      report({ total, done, failed: [...failed], isOver: done === total })
    }
  }
  report({ total, done, failed, isOver: total === 0 })
  await Promise.all(Array.from({ length: atOnce }, work))
}
