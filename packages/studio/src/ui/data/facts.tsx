import { Fragment, type ReactNode } from 'react'
import style from './facts.module.css'

export interface FactsProps {
  /** Names and values; entries without a value are omitted. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** Shows a list of names and values. */
export function Facts({ facts }: FactsProps): ReactNode {
  return (
    <dl className={style['facts']}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
