import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

/** Replaces a page that failed to render; other pages still work. */
export function PageFailure({ children }: { readonly children: ReactNode }): ReactNode {
  const [location] = useLocation()
  return (
    <ErrorBoundary FallbackComponent={Fallback} resetKeys={[location]}>
      {children}
    </ErrorBoundary>
  )
}

/** Errors from browsers and from the code loader if a part of the studio's code could not be loaded. */
const notLoaded = /preload CSS|dynamically imported module|importing a module script/i

function Fallback({ error, resetErrorBoundary }: FallbackProps): ReactNode {
  const message = error instanceof Error ? error.message : String(error)
  if (notLoaded.test(message)) return <NotLoaded />
  return (
    <Page title="This page crashed">
      <Notice tone="bad" title={message} action={<Button onClick={resetErrorBoundary}>Try again</Button>}>
        <p>The rest of the studio still works. If it happens again, reload the page.</p>
      </Notice>
    </Page>
  )
}

/** A part that failed to load is not requested again until the page is reloaded. */
function NotLoaded(): ReactNode {
  return (
    <Page title="Couldn't load this page">
      <Notice
        tone="bad"
        title="The service did not send the page."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        <p>
          Check that the service is running. If it was updated after the studio was opened, reload to load its new
          pages.
        </p>
      </Notice>
    </Page>
  )
}
