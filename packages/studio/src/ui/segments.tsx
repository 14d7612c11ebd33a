import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import style from './segments.module.css'

/** What a row of segments is given. */
export interface SegmentsProps<T extends string> {
  /** Said to screen readers. */
  readonly label: string
  /** The segment that is chosen. */
  readonly value: T
  /** Segments in their order; one without text needs a `label`. */
  readonly options: readonly { readonly value: NoInfer<T>; readonly text: ReactNode; readonly label?: string }[]
  /** Receives the segment that was chosen. */
  onChange(value: NoInfer<T>): void
}

/** Chooses one of two to four ways to see something. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>): ReactNode {
  return (
    <ToggleGroup
      className={style['segments']}
      aria-label={label}
      value={[value]}
      onValueChange={([chosen]: readonly string[]) => chosen !== undefined && onChange(chosen as T)}
    >
      {options.map((option) => (
        <Toggle key={option.value} value={option.value} aria-label={option.label} className={style['segment']}>
          {option.text}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
