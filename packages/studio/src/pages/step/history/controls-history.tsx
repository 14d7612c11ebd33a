import { History, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ControlVersion } from '../../../api/generated/resources.ts'
import { useRead } from '../../../session/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { Failure } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatTime, TimeText } from '../../../ui/time-text.tsx'
import { type ControlChange, type ControlValues, findChanges } from './control-changes.ts'
import style from './controls-history.module.css'

/** Props of the control history. */
export interface ControlsHistoryProps {
  /** The API path of the versions. */
  readonly path: string
  /** The current values. */
  readonly saved: ControlValues
  /** The code defaults, which apply to values that a version does not contain. */
  readonly defaults: ControlValues
  /** Puts values into the form, where they can be previewed before they are saved. */
  onRestore(values: ControlValues): void
}

/** Opens previously saved values for comparison and restoring. */
export function ControlsHistory(props: ControlsHistoryProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={<History size={15} />} onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

interface HistoryDialogProps extends ControlsHistoryProps {
  onClose(): void
}

function HistoryDialog({ path, saved, defaults, onRestore, onClose }: HistoryDialogProps): ReactNode {
  const { data, error, refetch } = useRead<readonly ControlVersion[]>(path)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const version = data?.find(({ _id }) => _id === chosen) ?? data?.[1] ?? data?.[0]
  const values = { ...defaults, ...version?.controls }
  const changes = findChanges(saved, values)
  const restore = (): void => {
    onRestore(values)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Saved values"
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {version && changes.length > 0 && (
            <Button needs="edit" variant="primary" icon={<RotateCcw size={15} />} onClick={restore}>
              Restore
            </Button>
          )}
        </>
      }
    >
      {error && <Failure title="Couldn't load the history" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} height={28} />}
      {data?.length === 0 && (
        <Empty icon={<History size={20} />} title="Nothing saved yet">
          Values appear here once they are saved, with who saved them and when.
        </Empty>
      )}
      {data && version && (
        <>
          <SelectField
            label="Version"
            value={version._id}
            options={data.map(({ _id, createdAt, by }) => ({
              value: _id,
              text: `${formatTime(createdAt)} · ${by ?? 'API'}`,
            }))}
            onChange={setChosen}
          />
          <Comparison version={version} changes={changes} />
        </>
      )}
    </Dialog>
  )
}

interface ComparisonProps {
  readonly version: ControlVersion
  readonly changes: readonly ControlChange[]
}

function Comparison({ version, changes }: ComparisonProps): ReactNode {
  return (
    <div className={style['changes']}>
      <p className={style['hint']}>
        Saved <TimeText at={version.createdAt} /> by {version.by ?? 'the API'}.
        {changes.length === 0 && ' These are the current values.'}
      </p>
      {changes.map(({ name, before, after }) => (
        <section key={name} className={style['change']}>
          <h3>
            <code>{name}</code>
          </h3>
          <Side label="Now" tone="before" text={before} />
          <Side label="Then" tone="after" text={after} />
        </section>
      ))}
    </div>
  )
}

interface SideProps {
  readonly label: string
  readonly tone: 'before' | 'after'
  readonly text: string | undefined
}

function Side({ label, tone, text }: SideProps): ReactNode {
  return (
    <div className={style['side']} data-tone={tone}>
      <Badge>{label}</Badge>
      {text === undefined ? <span className={style['hint']}>Not set</span> : <pre>{text}</pre>}
    </div>
  )
}
