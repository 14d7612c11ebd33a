import { findPointer } from '@trestle/protocol'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { fixOf } from './fixes.ts'
import style from './step.module.css'
import { TemplateExcerpt, type TemplatePlace } from './template-excerpt.tsx'
import type { PreviewError } from './use-preview.ts'

export interface PreviewFaultProps {
  /** Why rendering failed. */
  readonly error: PreviewError
  /** Values of the step's controls. */
  readonly controls: Readonly<Record<string, unknown>>
  /** Opens an input tab. */
  onOpen(tab: string): void
}

const tabNames = { payload: 'Edit the payload', controls: 'Edit the controls', state: 'Edit the results' }

/** Shows why a step could not be rendered: the field, the line, and a fix. */
export function PreviewFault({ error, controls, onOpen }: PreviewFaultProps): ReactNode {
  const { code, message, data } = error
  const { text, tab } = fixOf(code)
  const place = placeOf(data)
  const template = place && findPointer(controls, place.path)
  const issues = issuesOf(data)
  return (
    <>
      <Notice
        tone="bad"
        title={message}
        code={code}
        action={
          tab && (
            <Button small onClick={() => onOpen(tab)}>
              {tabNames[tab]}
            </Button>
          )
        }
      >
        {issues.length > 0 && (
          <ul className={style['issues']}>
            {issues.map((issue) => (
              <li key={`${issue.path} ${issue.message}`}>
                <code>{issue.path || '/'}</code> {issue.message}
              </li>
            ))}
          </ul>
        )}
        <p>{text}</p>
      </Notice>
      {place && typeof template === 'string' && <TemplateExcerpt template={template} place={place} />}
    </>
  )
}

function placeOf(data: unknown): TemplatePlace | undefined {
  if (!isRecord(data)) return undefined
  const { path, message, line, column } = data
  if (typeof path !== 'string' || typeof line !== 'number') return undefined
  return { path, message: String(message), line, column: typeof column === 'number' ? column : 1 }
}

function issuesOf(data: unknown): readonly { readonly path: string; readonly message: string }[] {
  if (!Array.isArray(data)) return []
  return data.filter(isRecord).map(({ path, message }) => ({ path: String(path ?? ''), message: String(message) }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
