import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { StepManifest } from '../../api/generated/resources.ts'
import { ChannelPreview } from '../../preview/channel-preview.tsx'
import { Badge } from '../../ui/badge.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { LastResult } from '../../ui/data/last-result.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatDuration } from '../../ui/time-text.tsx'
import { PreviewFault } from './preview-fault.tsx'
import { RemovedHtml } from './removed-html.tsx'
import style from './step.module.css'
import type { PreviewAnswer, Rendered } from './use-preview.ts'

export interface PreviewPanelProps {
  readonly step: StepManifest
  /** The result of the preview. */
  readonly preview: UseQueryResult<PreviewAnswer, ApiFailure>
  /** The values of the step's controls, to show a broken template. */
  readonly controls: Readonly<Record<string, unknown>>
  /** Opens an input tab. */
  onOpen(tab: string): void
}

/** Shows the rendered step, or why it could not be rendered. */
export function PreviewPanel({ step, preview, controls, onOpen }: PreviewPanelProps): ReactNode {
  const [view, setView] = useState<'preview' | 'json'>('preview')
  const { data, error } = preview
  return (
    <Panel
      title="Preview"
      aside={<State preview={preview} />}
      actions={
        <Segments
          label="Show the preview as"
          value={view}
          onChange={setView}
          options={[
            { value: 'preview', text: 'Preview' },
            { value: 'json', text: 'JSON' },
          ]}
        />
      }
    >
      <div className={style['preview']} aria-busy={preview.isFetching} aria-live="polite">
        {error && !preview.isFetching && (
          <Failure error={error} title="Couldn't render the step" onRetry={() => void preview.refetch()} />
        )}
        {!data && !error && <Skeleton rows={8} height={28} />}
        {data && view === 'json' && <JsonBlock value={data} label="the response of the bridge" />}
        {data && view === 'preview' && !data.ok && (
          <PreviewFault error={data.error} controls={controls} onOpen={onOpen} />
        )}
        {view === 'preview' && (
          <LastResult current={data?.ok ? data : undefined}>
            {(rendered) => <RenderedStep step={step} rendered={rendered} />}
          </LastResult>
        )}
      </div>
    </Panel>
  )
}

function State({ preview: { data, isFetching } }: Pick<PreviewPanelProps, 'preview'>): ReactNode {
  if (!data) return null
  if (!data.ok)
    return (
      <Badge dot tone="bad">
        failed
      </Badge>
    )
  return (
    <Badge dot tone={isFetching ? 'neutral' : 'good'}>
      rendered in {formatDuration(data.durationMs)}
    </Badge>
  )
}

export interface RenderedStepProps {
  readonly step: StepManifest
  /** The result of the preview. */
  readonly rendered: Rendered
}

/** Shows a rendered step as its recipient would see it, with its warnings. */
export function RenderedStep({ step, rendered }: RenderedStepProps): ReactNode {
  const { outputs, message, options, warnings, removed = [], providers } = rendered
  const visibleWarnings = warnings.filter(({ code }) => code !== 'HtmlSanitized' || removed.length === 0)
  return (
    <>
      {options.skip ? (
        <Notice title="This input skips the step">
          <p>Its skip condition holds, so nothing would be sent.</p>
        </Notice>
      ) : (
        <ChannelPreview type={step.type} outputs={outputs} mail={message ?? undefined} />
      )}
      {removed.length > 0 && <RemovedHtml removed={removed} />}
      {visibleWarnings.map(({ code, message: text }) => (
        <Notice key={`${code} ${text}`} tone="warn" title={text} code={code} />
      ))}
      {Object.keys(providers).length > 0 && (
        <details className={style['details']}>
          <summary>Provider overrides</summary>
          <JsonBlock value={providers} label="the provider overrides" />
        </details>
      )}
    </>
  )
}
