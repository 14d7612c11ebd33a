import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import style from './segments.module.css'

export interface SegmentsProps<T extends string> {
  /** The accessible label. */
  readonly label: string
  /** The selected segment. */
  readonly value: T
  /** Segments in order; one without text needs a `label`. */
  readonly options: readonly { readonly value: NoInfer<T>; readonly text: ReactNode; readonly label?: string }[]
  /** Receives the selected segment. */
  onChange(value: NoInfer<T>): void
}

/** Selects one of two to four views. */
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
