import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

/** Shows what broke in place of a page that broke; another page works again. */
export function PageFailure({ children }: { readonly children: ReactNode }): ReactNode {
  const [location] = useLocation()
  return (
    <ErrorBoundary FallbackComponent={Fallback} resetKeys={[location]}>
      {children}
    </ErrorBoundary>
  )
}

function Fallback({ error, resetErrorBoundary }: FallbackProps): ReactNode {
  const message = error instanceof Error ? error.message : String(error)
  return (
    <Page title="This page broke">
      <Notice tone="bad" title={message} action={<Button onClick={resetErrorBoundary}>Show it again</Button>}>
        <p>The rest of the studio works. If it happens again, reload the page.</p>
      </Notice>
    </Page>
  )
}
