import type { ReactElement } from 'react'

const paths = {
  alert: 'M12 8v5m0 3.5v.01M12 3.5 2.8 19.5h18.4L12 3.5Z',
  archive: 'M4 8v10.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V8M3 4.5h18V8H3V4.5ZM10 12h4',
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 9.5a6 6 0 0 1 12 0c0 5.5 2.2 7 2.2 7H3.8s2.2-1.5 2.2-7ZM10 19.8a2.2 2.2 0 0 0 4 0',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M2.5 12.5 7 17l9-9.5M12 16l1 1 8.5-9.5',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  gear: 'M4 7h10m4 0h2M4 17h2m4 0h10M16 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM8 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  inbox: 'M3.5 13.5 6 5h12l2.5 8.5V19h-17v-5.5Zm0 0H9a3 3 0 0 0 6 0h5.5',
  more: 'M5.5 12v.01M12 12v.01M18.5 12v.01',
  read: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z',
  trash: 'M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l.8 13h9.4l.8-13M10 10.5v5.5m4-5.5v5.5',
  unread: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z',
} as const

/** Names of the icons. */
export type IconName = keyof typeof paths

/** Shows an icon, hidden from screen readers. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  const isDots = name === 'more'
  return (
    <svg
      className={`trestle-icon trestle-icon-${name}`}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={isDots ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
