import type { ReactNode } from 'react'

/** The logo: two bents of a trestle bridge below its deck. */
export function Logo(): ReactNode {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path
        d="M5 11h22M5 15h22M10 15 6.5 26M10 15l3.5 11M22 15l-3.5 11M22 15l3.5 11M8.4 20.5h3.2M20.4 20.5h3.2"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
