import { Fragment, type ReactNode } from 'react'
import style from './facts.module.css'

/** What a list of facts is given. */
export interface FactsProps {
  /** Names and values; those without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** Shows names with their values. */
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
