import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import type { CodeMirrorProps } from './code-mirror.tsx'

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))
const lineHeight = 20

/** Edits JSON, HTML or text. The editor's code is loaded when it is first shown. */
export function CodeEditor(props: CodeMirrorProps): ReactNode {
  const rows = Math.min(props.maxRows ?? 24, Math.max(props.minRows ?? 3, props.value.split('\n').length))
  return (
    <Suspense fallback={<Skeleton height={rows * lineHeight + 18} />}>
      <CodeMirror {...props} />
    </Suspense>
  )
}
