import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { messageOf } from '../api/apiError.ts';
import { Notice } from './Notice.tsx';

/** A page that fails takes nothing else with it, and says so. Give it a key: another page begins anew. */
export function Pitfall({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Notice tone="bad">
      This page failed, which is a fault of the console: {messageOf(error)}{' '}
      <button type="button" class="link" onClick={reset}>
        Try again
      </button>
    </Notice>
  );
}
